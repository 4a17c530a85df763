import type { CommandName } from '../view/shortcuts/commands.ts';

export const paletteEn = {
  title: 'Commands and Sessions',
  placeholder: 'Type a command or a Session',
  nothing: 'Nothing has that name.',
  commands: {
    palette: 'Commands and Sessions',
    approval: 'Go to the pending approval',
    newSession: 'New Session',
    search: 'Search Sessions',
    composer: 'Write a message',
    preset: 'Change preset',
    stop: 'Stop this Session',
    nextRegion: 'Next part of the window',
    previousRegion: 'Previous part of the window',
    cleanup: 'Cleanup of this Session',
    environments: 'Environments of this Session',
    jobs: 'Jobs of this Session',
    proof: 'Prove the sandbox of this Session',
    approvals: 'All approvals',
    allCleanups: 'All cleanups',
    settings: 'Settings',
    welcome: 'First steps',
  } satisfies Record<CommandName, string>,
};
