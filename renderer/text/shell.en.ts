import type { ReadOnly } from '../../app/session/view.ts';

/** Sidebar and header. */
export const shellEn = {
  navigation: 'Places and Sessions',
  approvals: 'Approvals',
  cleanup: 'Cleanup',
  settings: 'Settings',
  newSession: 'New Session',
  search: 'Search Sessions',
  sessions: 'Sessions',
  noSessions: 'No Sessions yet.',
  noMatch: 'No Session has that in its title or folder.',
  noFolder: 'Unknown folder',
  waitingCount: (n: number) => (n === 1 ? '1 waits for you' : `${n} wait for you`),
  cleanupCount: (active: number, failed: number) =>
    [active > 0 && `${active} being cleaned up`, failed > 0 && `${failed} failed`].filter(Boolean).join(', '),
  hidden: (n: number) => (n === 1 ? '1 Session' : `${n} Sessions`),
  waits: {
    program: 'one program',
    command: 'one command',
    file: 'one file',
    call: 'one call',
  },
  waitsFor: (what: string, mode?: string) => (mode === undefined ? what : `${what}, ${mode.toLowerCase()}`),
  questions: (n: number) => `${n} questions`,
  because: (state: string, detail: string) => `${state}: ${detail}`,
  beneath: (state: string) => `beneath it: ${state}`,
  damaged: 'damaged, read only',
  childOf: (title: string) => `Child of ${title}`,
  inheritedFrom: (title: string, seq: number) => `inherited from ${title}, event ${seq}`,
  noAgent: 'no agent',
  demoAgent: 'offline demo',
  scriptAgent: (name: string) => `script ${name}`,
  environments: (n: number) => (n === 1 ? '1 Environment' : `${n} Environments`),
  cleaningUp: (n: number) => `Cleaning up ${n}`,
  clean: 'Clean',
  cleanupFailed: 'Cleanup failed',
  stop: 'Stop',
  stopping: 'Stopping…',
  stopFailed: (why: string) => `Not stopped: ${why}`,
  readOnly: {
    'open-elsewhere': ({ holder }) =>
      `Read only: this Session is open elsewhere${holder === undefined ? '' : `, by ${holder}`}. Close it there, then try again.`,
    damaged: ({ line }) =>
      `Read only: the log is damaged${line === undefined ? '' : ` at line ${line}`}. What could be read is shown, nothing was changed. Go on in a new Session on the same folder.`,
    newer: () =>
      'Read only: a newer version of Gatehouse wrote this log. What this version understands is shown. Update Gatehouse to go on.',
  } satisfies Record<ReadOnly['reason'], (readOnly: ReadOnly) => string>,
  tryAgain: 'Try again',
};
