import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSecrets } from './fileSecrets.ts';

const VALUE = 'hush-0123456789';
let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gatehouse-secrets-'));
  file = join(home, 'secrets.json');
});

afterEach(() => rm(home, { recursive: true, force: true }));

describe('FileSecrets', () => {
  it('9-g: gives a secret back after a restart, from a file that its owner alone can read', async () => {
    await new FileSecrets(file).set('webhook', VALUE);
    expect(await new FileSecrets(file).get('webhook')).toBe(VALUE);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(['secrets.json']);
  });

  it('9-g: never says keychain, and says where the secret is and that it is not encrypted', async () => {
    const secrets = new FileSecrets(file);
    const [before] = await secrets.list();
    await secrets.set('webhook', VALUE);
    const [after] = await secrets.list();
    expect([before?.stored, after?.stored]).toEqual([false, true]);
    expect(after?.protection).toBe('file');
    expect(after?.reason).toContain(file);
    expect(after?.reason).toContain('not encrypted');
    expect(JSON.stringify(after)).not.toMatch(new RegExp(`keychain|${VALUE}`));
  });

  it.each([
    ['half of it', `{"webhook": "${VALUE}`],
    ['nothing', ''],
    ['a list', `["${VALUE}"]`],
    ['a secret that is no text', '{"webhook": 7}'],
    ['other bytes', '\u0000\u0001'],
  ])('9-g: asks for the secret again when the file holds %s, and then writes it anew', async (_, text) => {
    await writeFile(file, text);
    const secrets = new FileSecrets(file);
    expect(await secrets.get('webhook')).toBeUndefined();
    expect(await secrets.list()).toMatchObject([
      { stored: false, reason: expect.stringContaining('damaged') as string },
    ]);
    expect(inspect(await secrets.list())).not.toContain(VALUE);
    await secrets.set('webhook', 'new');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ webhook: 'new' });
  });

  it('says of a file that cannot be read which one it is, and nothing of what is in it', async () => {
    const secrets = new FileSecrets(home);
    const fault = await secrets.get('webhook').catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: 'storage', message: `The secrets in ${home} cannot be read.` });
  });

  it('closes a file that was open to others', async () => {
    await writeFile(file, JSON.stringify({ webhook: VALUE }));
    await chmod(file, 0o644);
    expect(await new FileSecrets(file).get('webhook')).toBe(VALUE);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('keeps what two changes at once have made, the later one last', async () => {
    const secrets = new FileSecrets(file);
    await Promise.all([secrets.set('webhook', 'one'), secrets.set('webhook', 'two')]);
    expect(await secrets.get('webhook')).toBe('two');
    await Promise.all([secrets.set('webhook', 'three'), secrets.remove('webhook')]);
    expect(await secrets.get('webhook')).toBeUndefined();
  });

  it('leaves the old file as it is when the new one cannot be written', async () => {
    await new FileSecrets(file).set('webhook', VALUE);
    const secrets = new FileSecrets(join(file, 'secrets.json'));
    const fault = await secrets.set('webhook', 'other').catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Error);
    expect(inspect(fault)).not.toContain('other');
    expect(await new FileSecrets(file).get('webhook')).toBe(VALUE);
  });
});
