/** The settings place, and the checks of this machine, which the first steps show too. */
export const settingsEn = {
  title: 'Settings',
  problem: 'The settings file cannot be used. What was good last stays in force; nothing is written to the file.',
  saved: 'Saved',
  save: 'Save',

  appearance: 'Appearance',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  language: 'Language',
  languages: { system: 'As the system', en: 'English', zh: '中文' },

  notifications: 'Notifications',
  notify: 'Tell me outside of the window when something needs me',
  notifyMeans:
    'An approval is needed, a turn ended or failed, a cleanup failed. A note never says what is asked, and a click on it answers nothing.',
  permission: {
    granted: 'The browser lets Gatehouse show notes while this window is open.',
    default: 'The browser has not been asked yet whether Gatehouse may show notes.',
    denied:
      'The browser does not let Gatehouse show notes. That is changed in the browser, beside its address bar. The counters and the title of the window say the same.',
  },
  askBrowser: 'Ask the browser',

  presets: 'Presets',
  presetsMean:
    'A preset is a name for a Mode together with an Approval policy. New ones, and other pairs, are written in the settings file; they are offered within two seconds.',
  defaultPreset: 'Preset of new Sessions',
  defaultMeans: 'Sessions that exist keep what they have.',
  name: 'Name',
  label: 'Label',
  description: 'Description',
  rename: 'Rename…',
  renameOf: (label: string) => `Rename ${label}`,

  workspaces: 'Workspaces',
  workspacesMean:
    'What is set for one workspace alone. A change ends the Environments, commands and jobs of its Sessions; what starts next starts under it.',
  noWorkspace: 'No workspace has settings of its own.',
  sockets: 'Unix sockets',
  socketChoices: { block: 'Blocked', private: 'Private' },
  socketsMean: {
    block: 'No process of a Session can make one. This also keeps those of the system out of reach.',
    private: 'Processes of one Session can use them among themselves. Those of the system are hidden.',
  },
  projectHooks: 'Hooks of the project',
  offOn: { off: 'Off', on: 'On' },
  projectHooksMean:
    'Commands that the workspace itself names in .claude/settings.json, run at fixed points of a Session’s work, under its Mode. They can deny and ask, and never allow.',

  shortcuts: 'Shortcuts',
  shortcutsMean: 'Press Change, then the keys. Esc leaves it as it is.',
  command: 'Command',
  keys: 'Keys',
  noKeys: 'none',
  change: 'Change',
  changeOf: (command: string) => `Change the keys of ${command}`,
  reset: 'Reset',
  resetOf: (command: string) => `Reset the keys of ${command}`,
  pressKeys: 'Press the keys…',
  unusable: (keys: string) => `${keys} would fire while you type. Use Ctrl or Alt with it, or a function key.`,
  unusableMac: (keys: string) => `${keys} would fire while you type. Use ⌘ or ⌥ with it, or a function key.`,
  reserved: (keys: string) => `${keys} is needed elsewhere: by the system, for editing text, or to answer an approval.`,
  taken: (keys: string, command: string) => `${keys} already belongs to “${command}”.`,
  clash: (command: string) => `The same keys as “${command}”, which comes first.`,
  ignored: (keys: string) => `The settings file says “${keys}”, which nobody can press. The keys shown are in force.`,

  secrets: 'Secrets',
  secretNames: { webhook: 'Webhook secret' },
  secretsMean: 'A stored value is never shown again, here or elsewhere.',
  notStored: 'not stored',
  stored: 'stored',
  protection: {
    keychain: 'Sealed with a key that only this system’s keychain has.',
    file: 'Not protected.',
  },
  setSecret: 'Set…',
  replaceSecret: 'Replace…',
  remove: 'Remove',
  value: 'Value',
  agree: 'I agree that it is kept unprotected',
  mustAgree: 'It is stored only when you agree that it is not protected.',
  secretStored: 'Stored.',
  secretRemoved: 'Removed.',

  machine: 'This machine',
  checking: 'Trying what this machine can do…',
  checked: (wrong: number) =>
    wrong === 0 ? 'Everything works.' : wrong === 1 ? '1 thing does not work.' : `${wrong} things do not work.`,
  checkAgain: 'Check again',
  checkFailed: (why: string) => `The check did not run: ${why}`,
  ok: 'ok',
  notOk: 'not ok',
  checks: {
    enforcement: { name: 'Enforcement', means: 'Which program of this system confines, and how far.' },
    bubblewrap: { name: 'bubblewrap', means: 'Starts confined processes.' },
    namespaces: { name: 'Sandbox', means: 'A process was started in it just now, the same way as a Session’s.' },
    'shared temp': { name: 'Shared temp', means: 'All commands of a Session see the same private temp folder.' },
    node: { name: 'Node', means: 'Runs the programs of the agents.' },
    git: { name: 'git', means: 'Agents use it in your project.' },
    'file locks': { name: 'File locks', means: 'One process writes a log, and no other.' },
    settings: { name: 'Settings', means: 'The file that presets and choices are in.' },
    ripgrep: { name: 'ripgrep', means: 'Searches in files.' },
  },
  modes: 'The Modes here',
  modesMean: {
    full: 'confined',
    partial: 'partly confined',
    none: 'not available',
    open: 'never confined',
  },
  modeSays: {
    'read-only': {
      full: 'Commands and programs cannot write anything that stays, and have no network.',
      partial: 'The same, but each command has a temp folder and a loopback of its own.',
      none: 'Cannot be confined here, so commands and programs are refused. Never do they run without a sandbox instead.',
    },
    'workspace-write': {
      full: 'Commands and programs can write in the workspace alone, and have no network.',
      partial: 'The same, but each command has a temp folder and a loopback of its own.',
      none: 'Cannot be confined here, so commands and programs are refused. Never do they run without a sandbox instead.',
    },
    'danger-full-access': {
      open: 'What runs under it can do everything that you can. It is entered by your choice alone, and always named.',
    },
  },
  limits:
    'Reads are not restricted in any Mode, apart from Gatehouse’s own data and the usual places of keys and passwords. Programs that Gatehouse did not start write where they like.',

  about: 'About',
  version: (version: string) => `Gatehouse ${version}`,
  hosts: {
    electron: 'In a window of its own (Electron host).',
    browser: 'In a browser, served by this machine to itself alone (browser host).',
    control: 'Without a window (control).',
  },

  notSaved: 'The setting was not saved',
  malformed: 'The settings file cannot be read, so nothing was written. It is exactly as it was:',
  replaceMeans:
    'Replace writes a new file from the settings in force, with your change. The old file is kept next to it, with “.broken-” in its name.',
  replace: 'Replace the file',
  changedTitle: 'It was changed elsewhere meanwhile',
  changed: 'Nothing was written. What you typed is still there.',
  fileSays: 'The file says',
  youWant: 'You want',
  absent: 'nothing',
  takeTheirs: 'Reload',
  writeMine: 'Write mine',
};
