import { create } from 'zustand';
import type { JsonObject } from '../../app/base/json.ts';
import { request } from '../api.ts';

export type Theme = 'system' | 'light' | 'dark';
export type LanguageChoice = 'system' | 'en' | 'zh';

/** The part of the settings that is about the window itself. */
export interface WindowSettings {
  readonly theme: Theme;
  readonly language: LanguageChoice;
  readonly notifications: boolean;
  /** By command: the keys a person has chosen in place of ours. */
  readonly shortcuts: Readonly<Record<string, string>>;
  /** The first run was gone through. */
  readonly welcomed: boolean;
}

export interface SettingsStore {
  /** Undefined until they have been read. */
  readonly revision: string | undefined;
  readonly settings: JsonObject;
  readonly window: WindowSettings;
  /** Why the file is not in force as it is. */
  readonly problem: string | undefined;
}

const DEFAULTS: WindowSettings = {
  theme: 'system',
  language: 'system',
  notifications: true,
  shortcuts: {},
  welcomed: false,
};

export const useSettings = create<SettingsStore>(() => ({
  revision: undefined,
  settings: {},
  window: DEFAULTS,
  problem: undefined,
}));

interface Reply {
  readonly revision: string;
  readonly settings: JsonObject;
  readonly problem?: { readonly message: string };
}

export async function loadSettings(): Promise<void> {
  hearSettings(await request('settings.get', {}));
}

export function hearSettings({ revision, settings, problem }: Reply): void {
  // Main fills in every default and has checked the values, so the shape is known.
  const window = { ...DEFAULTS, ...(settings['window'] as Partial<WindowSettings> | undefined) };
  useSettings.setState({ revision, settings, window, problem: problem?.message });
}

/** Only the members named change. A RequestError `conflict` when the file was changed since, or cannot be read. */
export async function changeSettings(changes: JsonObject): Promise<void> {
  const { revision } = useSettings.getState();
  if (revision === undefined) throw new Error('The settings have not been read yet');
  hearSettings(await request('settings.set', { revision, changes }));
}

export function changeWindow(changes: Partial<WindowSettings>): Promise<void> {
  // A member that is absent is not changed (JSON merge patch), and none is undefined.
  return changeSettings({ window: { ...changes } as JsonObject });
}

/** The file cannot be read; a person has said that it may be written over. The old one is kept next to it. */
export async function replaceSettings(changes: JsonObject): Promise<void> {
  hearSettings(await request('settings.replace', { changes }));
}
