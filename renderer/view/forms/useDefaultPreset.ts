import { narrowestPreset } from '../../../app/policy/presetTable.ts';
import type { Json } from '../../../app/base/json.ts';
import { useConnection } from '../../store/connection.ts';
import { usePolicy, type PresetRow } from '../../store/policy.ts';
import { useSettings } from '../../store/settings.ts';
import { pathOf } from './wish.ts';

export interface DefaultPreset {
  readonly name: string;
  /** The default that the settings name and the table has not: the narrowest stands in for it. */
  readonly missing?: string;
}

/** What a new Session in that folder begins with when nobody says otherwise, by the rule of main itself. */
export function useDefaultPreset(folder: string): DefaultPreset {
  const userHome = useConnection((state) => state.host?.userHome);
  const path = pathOf(folder, userHome);
  const name = useSettings(({ settings }) => defaultIn(settings, path));
  const presets = usePolicy((state) => state.presets);
  return standing(name, presets);
}

function standing(name: string, presets: readonly PresetRow[]): DefaultPreset {
  if (presets.some((preset) => preset.name === name)) return { name };
  const narrowest = narrowestPreset(presets);
  return narrowest ? { name: narrowest.name, missing: name } : { name };
}

function defaultIn(settings: Json, path: string): string {
  const local = member(member(member(settings, 'workspaces'), path), 'defaultPreset');
  const name = local ?? member(settings, 'defaultPreset');
  return typeof name === 'string' ? name : '';
}

function member(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
    return undefined;
  // Neither null nor a list: an object of Json.
  return (value as { readonly [key: string]: Json })[key];
}
