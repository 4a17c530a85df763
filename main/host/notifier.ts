import type { Output } from '../../app/contract/requests.ts';
import { WINDOW_SETTINGS } from '../../app/policy/settingsWindow.ts';
import type { Core } from '../coreShape.ts';
import type { HostServices } from './hostServices.ts';
import { Notes } from './notes.ts';

export interface NotifierSource extends Pick<Core, 'onPush'> {
  readonly settings: Pick<Core['settings'], 'get'>;
}

/**
 * Notes and the badge of this process, whatever the number of its windows; until the returned function is called. Started
 * before the first door, so that no question is older than it.
 */
export function startNotifier(source: NotifierSource, host: Pick<HostServices, 'notify' | 'badge'>): () => void {
  let wanted = WINDOW_SETTINGS.notifications;
  const adopt = (told: Output<'settings.get'>): void => void (wanted = wantedIn(told));
  const notes = new Notes({
    notify: (note) => host.notify(note),
    badge: (pending) => host.badge(pending),
    wanted: () => wanted,
  });
  const stop = source.onPush((push) => {
    if (push.push === 'settings') adopt(push.data);
    else notes.hear(push);
  });
  // A file that cannot be read is told to every door; here the default stands for it.
  source.settings.get().then(adopt, () => undefined);
  return stop;
}

function wantedIn({ settings }: Output<'settings.get'>): boolean {
  const window = settings['window'];
  if (typeof window !== 'object' || window === null || !('notifications' in window)) return true;
  return window.notifications !== false;
}
