import { create } from 'zustand';
import type { SessionId } from '../../app/base/id.ts';
import type { Output } from '../../app/contract/requests.ts';
import { request } from '../api.ts';

/** The table of presets, in declaration order. What is in force in a Session is in its own fold. */
export type PresetRow = Output<'preset.list'>['presets'][number];
export type Preview = Output<'preset.preview'>;
export type Switched = Output<'preset.set'>;

export interface Policy {
  readonly presets: readonly PresetRow[];
}

export const usePolicy = create<Policy>(() => ({ presets: [] }));

export async function loadPresets(): Promise<void> {
  const { presets } = await request('preset.list', {});
  usePolicy.setState({ presets });
}

/** What the switch would change and end, without doing it. */
export function previewPreset(sessionId: SessionId, preset: string): Promise<Preview> {
  return request('preset.preview', { sessionId, preset });
}

export function setPreset(sessionId: SessionId, preset: string): Promise<Switched> {
  return request('preset.set', { sessionId, preset });
}
