import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs that the tests start for real, and the Debian package each comes from. */
const needed: Readonly<Record<string, string>> = {
  bwrap: 'bubblewrap',
  git: 'git',
  nsenter: 'util-linux',
  prlimit: 'util-linux',
  setpriv: 'util-linux',
};

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false; // not in this folder
    }
  });
}

function missing(): string[] {
  return Object.keys(needed).filter((program) => !isInstalled(program));
}

function packagesOf(programs: readonly string[]): string[] {
  return [...new Set(programs.map((program) => needed[program] ?? program))];
}

/** Only where it can work unasked: as root, where packages come from apt. */
function install(packages: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { stdio: 'inherit', env });
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { stdio: 'inherit', env });
}

const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version') && isInstalled('apt-get');
if (missing().length > 0 && mayInstall) install(packagesOf(missing()));

const absent = missing();
if (absent.length > 0) {
  console.error(
    `The tests need ${absent.join(', ')}. Install with: sudo apt-get install ${packagesOf(absent).join(' ')}`,
  );
  process.exitCode = 1;
}
