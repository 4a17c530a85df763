import { join } from 'node:path';
import { RequestError } from '../../app/contract/reply.ts';
import { describeHost } from './description.ts';
import { FileSecrets, SECRETS_FILE } from './fileSecrets.ts';
import type { HostServices } from './hostServices.ts';

/** The host of `control` and of the other verbs: it has no screen, so it shows nothing and asks nobody. */
export function controlHost(home: string): HostServices {
  return {
    description: describeHost('control', { canPickFolder: false }),
    secrets: new FileSecrets(join(home, SECRETS_FILE)),
    pickFolder: () => refuse('This host has no dialog to choose a folder: send its path.'),
    openExternal: () => refuse('This host has no browser to open a link in.'),
    notify: () => undefined,
    badge: () => undefined,
  };
}

function refuse(why: string): Promise<never> {
  return Promise.reject(new RequestError('forbidden', why));
}
