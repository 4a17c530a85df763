/** Presets: the selector, what a choice changes, and what came of it. */
export const policyEn = {
  preset: 'Preset',
  /** The built-in ones, while nobody has given them other words. */
  presets: {
    'read-only': {
      label: 'Read only',
      description: 'Reads the machine, writes nothing. Asks before anything more.',
    },
    'workspace-write': {
      label: 'Workspace write',
      description: 'Writes in the workspace alone. Asks before anything more.',
    },
    'danger-full-access': {
      label: 'Full access',
      description: 'Everything you may do yourself, without a sandbox and without a question.',
    },
  },
  custom: 'Custom',
  customMeans: 'Mode and Approval policy were set one by one, and no preset has this pair. It cannot be selected.',
  current: 'In force',
  changes: {
    mode: (from: string | undefined, to: string) => `Mode: ${from === undefined ? '' : `${from} → `}${to}.`,
    policy: (from: string | undefined, to: string) =>
      `Approval policy: ${from === undefined ? '' : `${from} → `}${to}.`,
    nothing: 'Mode and Approval policy stay as they are.',
  },
  stops: (n: number) =>
    n === 0 ? 'Nothing running is stopped.' : `Stops ${n === 1 ? '1 process' : `${n} processes`}:`,
  stopsShort: (n: number) => (n === 0 ? '' : n === 1 ? 'Stops 1 process.' : `Stops ${n} processes.`),
  more: (n: number) => `and ${n} more`,
  pid: (pid: number) => `pid ${pid}`,
  looking: 'Looking what this would change…',
  unknown: (why: string) => `What it would change is not known: ${why}`,
  recorded: 'Recorded at',
  /** Behind the event. */
  recordedEnd: '. ',
  stopping: (n: number, mode: string | undefined) =>
    `Stopping ${n === 1 ? '1 process' : `${n} processes`} started under ${mode ?? 'another Mode'}.`,
  stopped: (n: number) => (n === 1 ? 'It has ended.' : `All ${n} have ended.`),
  stopFailed: (n: number) => (n === 1 ? '1 has not ended.' : `${n} have not ended.`),
  showCleanup: 'Show cleanup',
  notRecorded: (why: string) => `Not changed: ${why}`,
  notConfirmed: (why: string) => `Not confirmed: ${why} What is shown here is what the log says.`,
  notStored: (why: string) => `In force, but not on disk yet: ${why}`,
  dismiss: 'Dismiss',
  danger: {
    title: {
      session: (label: string) => `Switch this Session to ${label}?`,
      new: (label: string) => `Start the new Session with ${label}?`,
      default: (label: string) => `Start new Sessions with ${label}?`,
    },
    means:
      'The agent may then read, change and delete everything that you can, and reach every process of yours. No sandbox holds it back.',
    never: 'It will not ask you first.',
    ask: 'Calls run without a question, since nothing wider is left to ask for.',
    only: {
      session: 'This applies to this Session only.',
      new: 'This applies to the new Session only.',
      default: 'This applies to every Session that is made from now on. Those that exist keep what they have.',
    },
    confirm: {
      session: (label: string) => `Switch to ${label}`,
      new: (label: string) => `Start with ${label}`,
      default: (label: string) => `Start all with ${label}`,
    },
  },
};
