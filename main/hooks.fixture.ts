import type { Json } from '../app/base/json.ts';
import { createWorld, type World, type WorldOptions } from './core.fixture.ts';

/** A hooks block of one hook. */
export function hook(
  on: string,
  command: string,
  more: { matcher?: string; timeout?: number; writes?: Json } = {},
): { readonly [point: string]: readonly Json[] } {
  const { matcher, ...own } = more;
  const group = { ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', command, ...own }] };
  return { [on]: [group] };
}

/** The whole product, with these hooks in its settings. */
export function hookedWorld(hooks: Json, options: WorldOptions = {}): Promise<World> {
  return createWorld({ ...options, settings: { hooks } });
}

/** A command line that gives a structured answer. */
export function answering(answer: Json): string {
  return `printf '%s' '${JSON.stringify(answer)}'`;
}

/** Changes the settings of a running World, for its workspace. */
export async function setWorkspace(world: World, changes: Json): Promise<void> {
  const { revision } = await world.request('settings.get', {});
  await world.request('settings.set', { revision, changes: { workspaces: { [world.workspace]: changes } } });
}
