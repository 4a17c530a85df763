import type { Emitter } from '../../app/base/emitter.ts';
import type { Ids } from '../../app/base/id.ts';
import type { Push } from '../../app/contract/pushes.ts';
import { RequestError } from '../../app/contract/reply.ts';
import type { Input } from '../../app/contract/requests.ts';
import type { Presets } from '../../app/policy/presets.ts';
import { isUnknown, type Preset, type UnknownPreset } from '../../app/policy/presetTable.ts';
import { userDefault } from '../../app/policy/settings.ts';
import type { LaunchSettings } from '../../app/sandbox/policy.ts';
import { unavailableText } from '../../app/sandbox/unavailable.ts';
import type { SettingsFile } from '../settings/settings.ts';
import { acceptAgent } from './agents.ts';
import type { NewSession } from './sessions.ts';
import { acceptWorkspace, checkWorkspace, workspaceRoot } from './workspace.ts';

export interface CreationParts {
  readonly ids: Ids;
  /** Gatehouse's own data folder. */
  readonly home: string;
  readonly presets: Presets;
  readonly settings: SettingsFile;
  readonly pushes: Emitter<Push>;
  readonly launchSettings: (workspace: string) => LaunchSettings;
}

/** Checks everything that a new Session is made of before anything exists of it. Refuses with a RequestError. */
export async function acceptSession(parts: CreationParts, input: Input<'session.create'>): Promise<NewSession> {
  const { workspace: path, preset: name, agent, title, confirmed = [] } = input;
  const root = await acceptWorkspace({ path, confirmed, home: parts.home });
  const preset = name === undefined ? defaultPreset(parts, root) : known(parts.presets.find(name));
  const workspace = await workspaceRoot(root);
  if ('kind' in workspace) throw new RequestError('workspace-missing', unavailableText(workspace));
  await checkWorkspace({ mode: preset.sandbox, workspace, settings: parts.launchSettings(root) });
  const driver = await acceptAgent(agent);
  return {
    id: parts.ids.session(),
    workspace: root,
    preset,
    ...(driver !== undefined && { agent: driver }),
    ...(title !== undefined && { title }),
  };
}

/** The preset that was named, or `unknown-preset` with the known ones. */
export function known<T extends object>(found: T | UnknownPreset): T {
  if (isUnknown(found)) throw new RequestError('unknown-preset', found.message);
  return found as T; // What is left when the refusal is taken away; a generic does not narrow.
}

/** A stored default that is gone never blocks: the narrowest preset stands in for it, and everybody is told. */
function defaultPreset({ settings, pushes }: CreationParts, root: string): Preset {
  const { preset, missing } = userDefault(settings.current.settings, root);
  if (missing !== undefined) {
    const message = `The default preset "${missing}" is gone; new Sessions start with "${preset.name}".`;
    const data = { noticeId: 'default-preset', level: 'warning', code: 'default-preset', message } as const;
    pushes.emit({ push: 'notice', data });
  }
  return preset;
}
