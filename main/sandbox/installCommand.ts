import { findProgram } from './programs.ts';

/** The one command that installs bubblewrap on this machine; undefined where no package manager is known. */
export async function installCommand(path: string, uid: number | undefined): Promise<string | undefined> {
  for (const [name, command] of Object.entries(COMMANDS))
    if (await findProgram(name, path)) return uid === 0 ? command : `sudo ${command}`;
  return undefined;
}

const COMMANDS: Readonly<Record<string, string>> = {
  'apt-get': 'apt-get install bubblewrap',
  dnf: 'dnf install bubblewrap',
  zypper: 'zypper install bubblewrap',
  pacman: 'pacman -S bubblewrap',
  apk: 'apk add bubblewrap',
};
