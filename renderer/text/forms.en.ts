import { settingsEn } from './settings.en.ts';

/** New Session, home, first steps; the settings stand in a file of their own. */
export const formsEn = {
  settings: settingsEn,

  newSession: 'New Session',
  folder: 'Folder',
  folderMeans: 'The one folder that this Session works on.',
  folderExample: '/home/me/project',
  chooseFolder: 'Choose folder…',
  recent: 'Used before',
  preset: 'Preset',
  presetMeans: 'How far the agent may write, and whether it may ask for more. It can be switched at any time.',
  presetGone: (name: string) => `The default preset “${name}” is gone. The narrowest one stands in for it.`,
  agent: 'Agent',
  agents: {
    demo: 'Offline demo',
    demoMeans: 'A script that comes with Gatehouse. It needs no model, no key and no network; its tools are real.',
    script: 'Script file',
    scriptMeans: 'Gives the answers of a file in place of a model. It takes part like any agent.',
  },
  scriptPath: 'Path of the script',
  scriptExample: '/home/me/script.json',
  noModels: 'Models at an endpoint, and agents installed on this machine, cannot be connected in this version.',
  title: 'Title',
  titleMeans: 'Optional.',
  create: 'Create Session',
  creating: 'Creating…',
  lacks: {
    folder: 'Name the folder that the Session works on.',
    absolute: 'Write the whole path, from / or from ~.',
    script: 'Name the file of the script.',
  },
  refused: {
    title: 'This folder is not taken without your word.',
    codes: {
      root: 'It is the whole file system: with write access the agent could change every file of this machine.',
      home: 'It is your home folder, or above it: everything you have would be its workspace.',
      data: 'It holds Gatehouse’s own data, or lies in it.',
    },
    agree: 'I know, and want to use this folder all the same',
  },

  home: 'Sessions',
  homeEmpty: 'There is no Session yet.',
  homeEmptyMeans:
    'A Session is a conversation with one agent about one folder. Gatehouse says at every moment what it may write, who allowed it, and what of it still runs.',
  latest: 'Last worked on',
  startDemo: 'Start the demo',
  startDemoNow: 'Start the demo now',
  starting: 'Starting…',
  demoMeans: 'The demo takes two minutes and needs no model, no key and no network. It works in a folder of its own.',

  welcome: {
    place: 'First steps',
    step: (at: number, of: number) => `Step ${at} of ${of}`,
    steps: { machine: 'What this machine can do', agent: 'Who works', start: 'Where, and how far' },
    next: 'Next',
    skip: 'Skip',
    machine: 'Gatehouse has just tried it, and shows what came of it.',
    unfit:
      'Nothing confined runs until this is repaired. You can go on, look around, and run the check again in the settings.',
    agent: 'The agent proposes; the tools, the sandbox and the questions to you are the same for every agent.',
    demoStart:
      'Nothing to fill in. The demo makes a folder of its own next to Gatehouse’s data folder, starts with Workspace write, and tells at each step what you can do.',
    demoStory: [
      'It writes in its folder, and is stopped outside of it.',
      'It asks you for one exception; you allow or deny it.',
      'You switch the preset while a long program runs, and watch it being ended.',
    ],
    start: 'Start Session',
  },
};
