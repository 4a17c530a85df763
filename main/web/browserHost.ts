import { join } from 'node:path';
import type { Push } from '../../app/contract/pushes.ts';
import { RequestError } from '../../app/contract/reply.ts';
import { describeHost } from '../host/description.ts';
import { FileSecrets, SECRETS_FILE } from '../host/fileSecrets.ts';
import type { HostServices } from '../host/hostServices.ts';

export interface BrowserHostOptions {
  /** The data folder. */
  readonly home: string;
  /** Why this host runs, where there was a choice. */
  readonly reason?: string | undefined;
  /** To the window that a person touched last. */
  readonly tellOne: (note: NotePush) => void;
  readonly tellAll: (note: NotePush) => void;
}

type NotePush = Extract<Push, { push: 'note' }>;

/** What a browser window lets its program do: show notes through it, and nothing of the desktop (hosts.md). */
export function browserHost({ home, reason, tellOne, tellAll }: BrowserHostOptions): HostServices {
  return {
    description: describeHost('browser', { canPickFolder: false, ...(reason !== undefined && { reason }) }),
    secrets: new FileSecrets(join(home, SECRETS_FILE)),
    pickFolder: () => refuse('A browser has no dialog for a folder of this machine: enter its path.'),
    openExternal: () => refuse('This window opens links by itself.'),
    // Which window shows a note is forgotten by the time it is withdrawn.
    notify: (data) => (data.withdrawn ? tellAll : tellOne)({ push: 'note', data }),
    badge: () => undefined,
  };
}

function refuse(why: string): Promise<never> {
  return Promise.reject(new RequestError('forbidden', why));
}
