import { join } from 'node:path';
import { dataFolder } from '../cli/home.ts';

/** Where the parts of the built program lie, and where it keeps its data. */
export interface Places {
  /** GATEHOUSE_HOME. */
  readonly home: string;
  /** Of Chromium, within it. */
  readonly userData: string;
  /** The built window. */
  readonly assets: string;
  readonly preload: string;
}

/** `out`: the folder of the build. */
export function placesOf(out: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Places {
  const home = dataFolder(env, platform);
  return {
    home,
    userData: join(home, 'electron'),
    assets: join(out, 'renderer'),
    preload: join(out, 'preload', 'preload.cjs'),
  };
}
