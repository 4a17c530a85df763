import type { CancelReason } from '../../app/approval/events.ts';

const count = (n: number): string => n.toLocaleString('en');

export const approvalEn = {
  /** What is allowed, once; `access` is one of the phrases below, or empty where no wider Mode is asked for. */
  title: {
    program: (access: string) => `Allow one program to run${access}?`,
    command: (access: string) => `Allow one command to run${access}?`,
    newFile: (access: string) => `Allow one new file to be written${access}?`,
    file: (access: string) => `Allow one file to be changed${access}?`,
    call: (tool: string, access: string) => `Allow one call of ${tool}${access}?`,
  },
  access: {
    'read-only': ' with read access',
    'workspace-write': ' with write access to the workspace',
    'danger-full-access': ' with full file access',
  },
  /** The same in few words, for rows and announcements. */
  short: {
    program: 'one program',
    command: 'one command',
    file: 'one file',
    call: (tool: string) => `one call of ${tool}`,
    with: (what: string, access: string) => `${what}, ${access}`,
  },
  shortAccess: {
    'read-only': 'read only',
    'workspace-write': 'workspace write',
    'danger-full-access': 'full access',
  },
  needed: (session: string, what: string, text: string) => `Approval needed: ${session}: ${what}: ${text}`,
  over: (session: string, why: string) => `Approval of ${session}: ${why}`,
  turn: (n: number) => `turn ${n}`,
  justAsked: 'asked just now',
  waits: (ago: string) => `waits ${ago}`,

  program: 'Program',
  command: 'Command',
  diff: 'Change',
  input: (tool: string) => `Arguments of ${tool}`,
  madeBy: 'Made by this program',
  whole: {
    program: 'the whole program',
    command: 'the whole command',
    diff: 'the whole change',
    input: 'all arguments',
    madeBy: 'the whole program that made the call',
  },
  size: (lines: number, characters: number) =>
    `${count(lines)} ${lines === 1 ? 'line' : 'lines'}, ${count(characters)} ${characters === 1 ? 'character' : 'characters'}`,
  digest: 'digest',
  digestOf: 'the digest that the answer is bound to',
  unseen: 'Contains invisible characters. Each is drawn as an escape with its number.',
  cutOff: (bytes: number) => `${count(bytes)} bytes are not shown here. Do not allow what you cannot read.`,
  noChange: 'There is no difference to show: the change does nothing, or cannot be made.',
  blankLines: (n: number, signs: string) => `${signs ? `${signs} ` : ''}${count(n)} blank lines`,
  notVisible: (n: number) => `${count(n)} ${n === 1 ? 'line' : 'lines'} not visible`,

  folder: 'Runs in',
  newFile: 'new file',
  overwrites: 'overwrites what is there',
  rule: 'Rule',
  agentSays: 'Agent says',
  ifAllowed: 'If allowed',
  asksFor: (from: string, to: string) => `${from} is in force. This one call asks to run under ${to}.`,
  effect: {
    program:
      'It runs once, in a fresh process that cannot see the kept variables and is gone before the result is returned.',
    command: 'It runs once, in a process of its own that is gone before the result is returned.',
    file: 'This file is written once, and no other.',
    call: 'This one call is made, and no other.',
  },
  stays: (mode: string) => `The Session stays in ${mode}.`,
  limit: 'With full access it can reach every process of yours, also those that Gatehouse keeps apart from it.',

  deny: 'Deny',
  denyWithNote: 'Deny with note…',
  denyWithThisNote: 'Deny with this note',
  allow: 'Allow once',
  note: 'Note to the agent',
  noteHint: 'The agent gets it word for word.',
  changePreset: 'Change preset…',
  place: (at: number, of: number) => `${at} of ${of}`,
  notArmed: 'ready in a moment',
  notInFront: 'ready when this window is in front',
  notConnected: 'not connected',
  pressSpace: (keys: string) => `Enter does not allow. Press Space or ${keys}.`,
  recording: {
    'allow-once': 'Recording: allow once…',
    deny: 'Recording: deny…',
  },
  notConfirmed: 'Not confirmed.',
  noReply: 'No reply came yet. Whether the answer was recorded is not known.',
  lost: 'The connection was lost before the reply came. Whether the answer was recorded is not known.',
  retry: {
    'allow-once': 'Retry: allow once',
    deny: 'Retry: deny',
  },

  allowed: 'Allowed once.',
  denied: 'Denied.',
  elsewhere: (what: string) => `${what} It was answered in another window.`,
  withdrawn: (why: string) => `Withdrawn: ${why}.`,
  recordedAt: (event: string) => `Recorded at ${event}.`,
  reasons: {
    'call-aborted': 'the call was cancelled',
    'turn-ended': 'the turn ended',
    stopped: 'the turn was stopped',
    'mode-changed': 'the Mode changed',
    'policy-never': 'the Approval policy is now never to ask',
    'agent-died': 'the agent ended',
    restarted: 'the app was restarted',
    'no-answerer': 'nobody was there to answer',
    timeout: 'nobody answered in time',
    shutdown: 'Gatehouse was closed',
    'answerer-failed': 'asking failed',
  } satisfies Record<CancelReason, string>,
  unknownEnd: 'It ended while this window was not connected.',
  notStored: 'it could not be stored on disk',

  waiting: (n: number) => `${n} more ${n === 1 ? 'waits' : 'wait'}`,
  placeTitle: 'Approvals',
  nothing: 'Nothing waits for an answer.',
  nothingMore:
    'When an agent asks for more than the Mode of its Session allows, the question appears here and in the Session.',
  goToSession: 'Go to the Session',
  noticeDetail: 'Details',

  notices: 'Notices',
  levels: { info: 'Note', warning: 'Warning', error: 'Error' },
  dismiss: 'Dismiss',
};
