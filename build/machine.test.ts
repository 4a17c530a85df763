import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findElectron, hasDisplay } from './machine.ts';

function plant(...files: readonly (readonly [name: string, text: string])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-machine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const PATH_FILE = 'node_modules/electron/path.txt';

describe('the binary of Electron', () => {
  it('is where the package says that it put it', () => {
    const root = plant([PATH_FILE, 'electron-app'], ['node_modules/electron/dist/electron-app', '']);
    const path = join(root, 'node_modules/electron/dist/electron-app');
    expect(findElectron(root, {})).toEqual({ kind: 'present', path });
  });

  it('is absent when the package was installed without it, and can be installed', () => {
    const found = findElectron(plant(['node_modules/electron/index.js', 'throw new Error()']), {});
    expect(found).toMatchObject({ kind: 'absent', remedy: expect.stringContaining('npx install-electron') });
  });

  it('is absent when the package says where it put it and it has gone', () => {
    expect(findElectron(plant([PATH_FILE, 'electron']), {})).toMatchObject({ kind: 'absent' });
  });

  it('is where the environment says, before all else', () => {
    const root = plant([PATH_FILE, 'electron'], ['node_modules/electron/dist/electron', ''], ['other/electron', '']);
    const env = { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'other') };
    expect(findElectron(root, env)).toEqual({ kind: 'present', path: join(root, 'other/electron') });
  });

  it('is absent, and no installation helps, when it is not where the environment says', () => {
    const root = plant([PATH_FILE, 'electron'], ['node_modules/electron/dist/electron', '']);
    const found = findElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' });
    expect(found).toEqual({ kind: 'absent', why: 'there is none at /nowhere/electron' });
  });
});

it.each<readonly [platform: NodeJS.Platform, env: NodeJS.ProcessEnv, expected: boolean]>([
  ['linux', {}, false],
  ['linux', { DISPLAY: '' }, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['darwin', {}, true],
  ['darwin', { SSH_CONNECTION: '::1 1 ::1 22' }, false],
  ['win32', {}, true],
])('takes %s with %j for a machine with a display: %s', (platform, env, expected) => {
  expect(hasDisplay(platform, env)).toBe(expected);
});
