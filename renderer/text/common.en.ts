/** Words that several views share. One word per concept: those of the glossary. */
export const commonEn = {
  product: 'Gatehouse',
  cancel: 'Cancel',
  close: 'Close',
  retry: 'Retry',
  copy: 'Copy',
  copied: 'Copied',
  back: 'Back',
  loading: 'Loading…',
  fullAccess: 'Full access',
  modes: {
    'read-only': 'Read only',
    'workspace-write': 'Workspace write',
    'danger-full-access': 'Full access',
  },
  policies: { ask: 'Asks', never: 'Never asks' },
  connection: {
    connecting: 'Connecting to Gatehouse…',
    lost: 'The connection to Gatehouse is lost. What runs goes on; this window tries again by itself.',
    refused: 'This window was not let in. Open the address that Gatehouse printed when it started.',
  },
  states: { waiting: 'waiting', running: 'running', failed: 'failed', idle: 'idle' },
  untitled: 'Untitled Session',
  event: (seq: number) => `event ${seq}`,
  ago: {
    now: 'now',
    seconds: (n: number) => `${n} s`,
    minutes: (n: number) => `${n} min`,
    hours: (n: number) => `${n} h`,
    days: (n: number) => `${n} d`,
  },
  duration: {
    ms: (n: number) => `${n} ms`,
    seconds: (n: string) => `${n} s`,
    minutes: (m: number, s: number) => `${m}:${String(s).padStart(2, '0')}`,
  },
};
