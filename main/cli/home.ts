import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** Where Gatehouse keeps its data: `GATEHOUSE_HOME`, else the platform's data folder. */
export function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, user = homedir()): string {
  if (env.GATEHOUSE_HOME) return resolve(env.GATEHOUSE_HOME);
  switch (platform) {
    case 'darwin':
      return join(user, 'Library', 'Application Support', 'Gatehouse');
    case 'win32':
      return join(env.APPDATA ?? join(user, 'AppData', 'Roaming'), 'Gatehouse');
    default: {
      // The XDG specification: a relative path there counts as none.
      const data = env.XDG_DATA_HOME;
      return join(data && isAbsolute(data) ? data : join(user, '.local', 'share'), 'gatehouse');
    }
  }
}
