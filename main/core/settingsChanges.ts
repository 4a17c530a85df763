import type { Emitter } from '../../app/base/emitter.ts';
import type { Push } from '../../app/contract/pushes.ts';
import type { Settings } from '../../app/policy/settings.ts';
import type { LaunchSettings } from '../../app/sandbox/policy.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import type { SettingsProblem } from '../settings/load.ts';
import type { SettingsFile, SettingsState } from '../settings/settings.ts';
import type { Sessions } from './sessions.ts';
import { settingsShown } from './settingsRequests.ts';

export interface FollowedSettings {
  readonly settings: SettingsFile;
  readonly sessions: Sessions;
  readonly launchOf: (settings: Settings, workspace: string) => LaunchSettings;
  readonly pushes: Emitter<Push>;
  readonly digest: (text: string) => string;
}

const NOTICE = { noticeId: 'settings', code: 'settings' } as const;

/**
 * A changed file is told to every door, with the rows that show another preset now. Where it changes what a launch of a
 * live Session depends on, that Session's log is told: from then on it invalidates like a changed Mode (ptc.md, Launch
 * settings).
 */
export function followSettings({ settings, sessions, launchOf, pushes, digest }: FollowedSettings): () => void {
  let before = settings.current;
  return settings.observe((now) => {
    const digestOf = (state: SettingsState, workspace: string) =>
      digest(JSON.stringify(launchOf(state.settings, workspace)));
    for (const { session } of sessions.all()) {
      const { workspace } = session.header;
      const next = digestOf(now, workspace);
      if (next !== digestOf(before, workspace)) session.append({ type: 'sandbox/settings', data: { digest: next } });
    }
    sessions.pushRows();
    pushes.emit({ push: 'settings', data: settingsShown(settings.shown) });
    if (now.problem) pushes.emit(settingsNotice(now.problem));
    else if (before.problem) {
      const message = 'The settings file is good again.';
      pushes.emit({ push: 'notice', data: { ...NOTICE, level: 'info', message, closed: true } });
    }
    before = now;
  });
}

/** While no good file was ever read, what it hides and protects is not known: nothing runs that it might forbid. */
export function settingsFault({ blind, problem }: SettingsState): Unavailable | undefined {
  if (!blind || !problem) return undefined;
  const message = `Nothing runs while the settings cannot be read: ${problem.message}`;
  return {
    kind: 'unavailable',
    code: 'SANDBOX_UNAVAILABLE',
    message,
    remedy: 'Repair the file: it is read again at once',
  };
}

/** What a door that comes now is told of the file. */
export function settingsNotices({ current }: SettingsFile): readonly Push[] {
  return current.problem ? [settingsNotice(current.problem)] : [];
}

/** What every door is told while the file cannot be used; what was good last stays in force. */
function settingsNotice({ message }: SettingsProblem): Push {
  return { push: 'notice', data: { ...NOTICE, level: 'error', message } };
}
