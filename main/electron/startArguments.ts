import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export interface Started {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Where Electron was told to find the app; undefined when the app is the executable. */
  readonly app: string | undefined;
}

/** The folder that the program was started with: the first argument of the person's own. Absolute; it need not exist. */
export function workspaceArgument({ argv, cwd, app }: Started): string | undefined {
  const named = argv.slice(1).filter((each) => !each.startsWith('-'));
  // Before the app stand Electron's own arguments, and behind it the person's.
  const isApp = (each: string): boolean => [resolve(cwd, each), dirname(resolve(cwd, each))].includes(app ?? '');
  const path = app === undefined ? named[0] : named[named.findIndex(isApp) + 1];
  return path === undefined || path === '' || URL_LIKE.test(path) || isApp(path) ? undefined : resolve(cwd, path);
}

const URL_LIKE = /^[a-z][a-z0-9+.-]+:\/\//i;

/** What the first instance is told of a second one. Electron mixes switches of its own into `argv`, and not into this. */
export interface SecondStart {
  readonly workspace?: string;
}

/** From the other process, so nothing of it is taken on trust. */
export async function workspaceOf(told: unknown): Promise<string | undefined> {
  const path = typeof told === 'object' && told !== null && 'workspace' in told ? told.workspace : undefined;
  if (typeof path !== 'string') return undefined;
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ? path : undefined;
}
