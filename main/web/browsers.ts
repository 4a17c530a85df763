import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The machine, as far as it decides whether a window can be opened on it. */
export interface Desk {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly uid: number | undefined;
}

/** Why no window can be opened here; undefined when one can, if there is a browser. */
export function windowless({ platform, env, uid }: Desk): string | undefined {
  // As root Chromium runs only without its sandbox, and that is never asked of it.
  if (uid === 0) return 'a browser should not be run as root';
  if (platform === 'win32') return undefined;
  if (platform === 'darwin') return env.SSH_CONNECTION ? 'this is a remote login' : undefined;
  return env.DISPLAY || env.WAYLAND_DISPLAY ? undefined : 'there is no display';
}

/** The first Chromium-like browser that is installed, by its absolute path. */
export async function findBrowser(desk: Desk): Promise<string | undefined> {
  for (const place of placesOf(desk)) if (await isUsable(place)) return place;
  return undefined;
}

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
];
const MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];
const WINDOWS = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
];

function placesOf({ platform, env }: Desk): readonly string[] {
  switch (platform) {
    case 'darwin':
      return MAC.map((name) => join('/Applications', `${name}.app`, 'Contents', 'MacOS', name));
    case 'win32': {
      const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
      return roots.flatMap((root) => WINDOWS.map((path) => join(root, ...path)));
    }
    default: {
      const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
      return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
    }
  }
}

/** One out of a snap is not: it may not read the data folder, where the launcher file lies. */
async function isUsable(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK);
    return ![place, await realpath(place)].some((path) => path.includes('/snap/') || path.endsWith('/snap'));
  } catch {
    return false;
  }
}
