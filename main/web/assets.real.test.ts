import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CONTENT_SECURITY_POLICY, refusedAsset, resolveAsset } from './assets.ts';

let root = '';
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-assets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  root = join(folder, 'renderer');
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.json'), 'outside');
  await writeFile(join(root, 'index.html'), 'the page');
  await writeFile(join(root, '.env.json'), 'hidden');
  await writeFile(join(root, 'assets', 'main-B2c_4.js'), 'the script');
});

const textOf = async (path: string) => (await resolveAsset(root, path)).body.toString();
const statusOf = async (path: string) => (await resolveAsset(root, path)).status;

describe('what a window loads', () => {
  it('is the page at /, under exactly this policy, and is not kept', async () => {
    expect(await resolveAsset(root, '/')).toEqual({
      status: 200,
      headers: {
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      },
      body: Buffer.from('the page'),
    });
  });

  it('is kept for ever when its name is made of its content', async () => {
    const { status, headers, body } = await resolveAsset(root, '/assets/main-B2c_4.js');
    expect({ status, body: body.toString() }).toEqual({ status: 200, body: 'the script' });
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': CONTENT_SECURITY_POLICY,
    });
  });

  it('is told under the same policy that it is not there', async () => {
    const missing = await resolveAsset(root, '/assets/none.js');
    expect(missing).toEqual(refusedAsset(404, 'The window has no such file.'));
    expect(missing.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': CONTENT_SECURITY_POLICY,
    });
  });
});

describe('a path', () => {
  it.each([
    '/../secret.json',
    '/assets/../../secret.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/..%5csecret.json',
    '/assets%2fmain-B2c_4.js',
    '/..\\secret.json',
    '/./index.html',
    '//index.html',
    '/index.html/',
    '/index.html\0.js',
    '/index.html%00',
    '/.env.json',
    'index.html',
    'http://elsewhere/index.html',
    '',
  ])('%j is no path of the window', async (path) => {
    expect(await statusOf(path)).toBe(400);
    expect(await textOf(path)).toBe('This is no path of the window.\n');
  });

  it('leads nowhere through a link out of the folder, and somewhere through one within it', async () => {
    await symlink('../secret.json', join(root, 'out.json'));
    await symlink('..', join(root, 'up'));
    await symlink('index.html', join(root, 'in.html'));
    expect(await statusOf('/out.json')).toBe(404);
    expect(await statusOf('/up/secret.json')).toBe(404);
    expect(await textOf('/in.html')).toBe('the page');
  });

  it('leads to files of known types alone', async () => {
    await mkdir(join(root, 'folder.js'));
    await writeFile(join(root, 'key.pem'), 'x');
    expect(await Promise.all(['/folder.js', '/assets', '/key.pem'].map(statusOf))).toEqual([404, 404, 404]);
  });

  it('leads nowhere when the folder itself is missing', async () => {
    await rm(root, { recursive: true });
    expect(await statusOf('/')).toBe(404);
  });
});
