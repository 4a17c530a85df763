import { RequestError } from '../../app/contract/reply.ts';
import type { Output } from '../../app/contract/requests.ts';
import type { Core } from '../coreShape.ts';
import type { SettingsFile, SettingsRefusal, SettingsReply } from '../settings/settings.ts';

/** The requests `settings.*`. */
export function settingsRequests(file: SettingsFile): Core['settings'] {
  return {
    get: async () => settingsShown(await file.get()),
    set: async ({ revision, changes }) => accepted(await file.set(revision, changes)),
    replace: async ({ revision, changes }) => accepted(await file.replace(revision, changes)),
  };
}

/** What a door is told of the file. */
export function settingsShown({ revision, settings, problem }: SettingsReply): Output<'settings.get'> {
  return { revision, settings, ...(problem && { problem: { message: problem.message } }) };
}

function accepted(reply: SettingsReply | SettingsRefusal): Output<'settings.get'> {
  if (!('kind' in reply)) return settingsShown(reply);
  throw new RequestError(reply.kind === 'malformed' ? 'conflict' : reply.kind, reply.message);
}
