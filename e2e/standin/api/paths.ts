import type { App } from 'electron/main';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export type PathName = Parameters<App['getPath']>[0];

export function pathOf(name: PathName, userData: string): string {
  const paths: Partial<Record<PathName, string>> = {
    home: homedir(),
    appData: join(homedir(), '.config'),
    userData,
    sessionData: userData,
    logs: join(userData, 'logs'),
    temp: tmpdir(),
    exe: process.execPath,
  };
  const path = paths[name];
  if (path === undefined) throw new Error(`electron stand-in: app.getPath('${name}') is not implemented`);
  return path;
}
