import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findBrowser, windowless } from './browsers.ts';

describe('no window can be opened', () => {
  it.each([
    ['linux', { DISPLAY: ':0' }, 1000, undefined],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 1000, undefined],
    ['linux', {}, 1000, 'there is no display'],
    ['linux', { DISPLAY: '' }, 1000, 'there is no display'],
    ['linux', { DISPLAY: ':0' }, 0, 'a browser should not be run as root'],
    ['darwin', {}, 501, undefined],
    ['darwin', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, 501, 'this is a remote login'],
    ['win32', {}, undefined, undefined],
  ] as const)('on %s with %j as user %s: %s', (platform, env, uid, why) => {
    expect(windowless({ platform, env, uid })).toBe(why);
  });
});

describe('the browser', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-browsers-'));
    onTestFinished(() => rm(folder, { recursive: true }));
  });

  const install = async (name: string, mode = 0o755) => {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), '');
    await chmod(join(folder, name), mode);
  };
  const found = (PATH = folder) => findBrowser({ platform: 'linux', env: { PATH }, uid: 1000 });

  it('is the first that PATH has, by its absolute path', async () => {
    await install('google-chrome');
    expect(await found()).toBe(join(folder, 'google-chrome'));
    await install('chromium');
    expect(await found()).toBe(join(folder, 'chromium'));
  });

  it('is none that has no windows, cannot be run, or is found only from here', async () => {
    await install('chromium-headless-shell');
    await install('chromium', 0o644);
    expect(await found()).toBeUndefined();
    await install('google-chrome');
    expect(await found('.')).toBeUndefined();
    expect(await found('')).toBeUndefined();
  });

  it('is none out of a snap, which could not read the launcher file', async () => {
    await install('snap/chromium/current/chrome');
    await symlink(join(folder, 'snap/chromium/current/chrome'), join(folder, 'chromium'));
    expect(await found()).toBeUndefined();
  });
});
