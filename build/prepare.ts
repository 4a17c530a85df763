import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What the tests start for real or draw with, and the Debian package that it comes from. */
interface Need {
  readonly name: string;
  readonly package: string;
  readonly isThere: () => boolean;
}

const browsers = ['chromium-headless-shell', 'chromium', 'google-chrome'];

const everywhere: readonly Need[] = [
  program('bwrap', 'bubblewrap'),
  program('git', 'git'),
  program('nsenter', 'util-linux'),
  program('prlimit', 'util-linux'),
  program('setpriv', 'util-linux'),
  { name: 'a Chromium', package: 'chromium-headless-shell', isThere: hasBrowser },
];

/** Elsewhere these are called and lie otherwise, and nearly every desktop has its own. */
const onDebian: readonly Need[] = [
  program('Xvfb', 'xvfb'),
  font('fonts-dejavu-core', 'truetype/dejavu/DejaVuSans.ttf'),
  font('fonts-noto-cjk', 'opentype/noto/NotoSansCJK-Regular.ttc'),
  font('fonts-noto-color-emoji', 'truetype/noto/NotoColorEmoji.ttf'),
];

function program(name: string, from: string): Need {
  return { name, package: from, isThere: () => isInstalled(name) };
}

function font(from: string, file: string): Need {
  return { name: from, package: from, isThere: () => existsSync(join('/usr/share/fonts', file)) };
}

function hasBrowser(): boolean {
  return existsSync(process.env['CHROMIUM_PATH'] ?? '') || browsers.some(isInstalled);
}

function isInstalled(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false; // not in this folder
    }
  });
}

const isDebian = existsSync('/etc/debian_version');
const needed = isDebian ? [...everywhere, ...onDebian] : everywhere;
const missing = (): Need[] => needed.filter(({ isThere }) => !isThere());
const packagesOf = (needs: readonly Need[]): string[] => [...new Set(needs.map((need) => need.package))];

/** Only where it can work unasked: as root, where packages come from apt. */
function install(packages: readonly string[]): void {
  apt('update', '-q');
  // One that this release does not have would keep the others from being installed.
  if (apt('install', '-y', '-q', '--no-install-recommends', ...packages) !== 0) {
    for (const name of packages) apt('install', '-y', '-q', '--no-install-recommends', name);
  }
}

function apt(...args: string[]): number {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: 'inherit', env }).status ?? 1;
}

const mayInstall = process.getuid?.() === 0 && isDebian && isInstalled('apt-get');
if (missing().length > 0 && mayInstall) install(packagesOf(missing()));

const absent = missing();
if (absent.length > 0) {
  console.error(`The tests need ${absent.map(({ name }) => name).join(', ')}.`);
  console.error(`On Debian and Ubuntu: sudo apt-get install ${packagesOf(absent).join(' ')}`);
  if (!hasBrowser()) console.error('CHROMIUM_PATH may name any Chromium or Chrome that is installed elsewhere.');
  process.exitCode = 1;
}
