import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { textsOf } from '../electron/text.ts';
import { ElectronSecrets, type Vault } from './electronSecrets.ts';
import { FileSecrets } from './fileSecrets.ts';

const VALUE = 'hush-0123456789';
type Backend = ReturnType<Vault['getSelectedStorageBackend']>;

/** As Electron's, with the text turned round instead of sealed. */
class FakeVault implements Vault {
  readonly #key: string;
  readonly #backend: Backend;
  constructor({ key = 'v11', backend = 'gnome_libsecret' as Backend } = {}) {
    this.#key = key;
    this.#backend = backend;
  }
  isEncryptionAvailable(): boolean {
    return this.#key !== '';
  }
  getSelectedStorageBackend(): Backend {
    return this.#backend;
  }
  encryptString(text: string): Buffer {
    return Buffer.from(this.#key + Array.from(text).toReversed().join(''));
  }
  decryptString(sealed: Buffer): string {
    const text = sealed.toString();
    if (!text.startsWith(this.#key)) throw new Error('Error while decrypting the ciphertext');
    return Array.from(text.slice(this.#key.length)).toReversed().join('');
  }
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-sealed-'));
});

function open(vault: Vault, platform: NodeJS.Platform = 'linux'): ElectronSecrets {
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const plain = new FileSecrets(join(folder, 'secrets.json'));
  const file = join(folder, 'secrets.sealed.json');
  return new ElectronSecrets({ vault, platform, file, plain, texts: () => textsOf('en', 'en') });
}

async function everything(): Promise<string> {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('\n');
}

describe('with a keyring', () => {
  it('writes nothing over a file that is there and cannot be read', async () => {
    // A folder in its place: there, and no file.
    await mkdir(join(folder, 'secrets.sealed.json'));
    await expect(open(new FakeVault()).set('webhook', VALUE)).rejects.toMatchObject({ code: 'EISDIR' });
    expect((await stat(join(folder, 'secrets.sealed.json'))).isDirectory()).toBe(true);
  });

  it('9-g: a secret is sealed, is there after a restart, and its text is in no file of ours', async () => {
    await open(new FakeVault()).set('webhook', VALUE);
    const again = open(new FakeVault());
    expect(await again.get('webhook')).toBe(VALUE);
    expect(await again.list()).toEqual([{ name: 'webhook', stored: true, protection: 'keychain' }]);
    expect(await everything()).not.toContain(VALUE);
    expect((await stat(join(folder, 'secrets.sealed.json'))).mode & 0o777).toBe(0o600);
  });

  it('a secret that was kept unsealed is sealed, and its text is gone from the disk', async () => {
    await open(new FakeVault({ key: '' })).set('webhook', VALUE);
    expect(await everything()).toContain(VALUE);
    const now = open(new FakeVault());
    expect(await now.list()).toEqual([{ name: 'webhook', stored: true, protection: 'keychain' }]);
    expect(await now.get('webhook')).toBe(VALUE);
    expect(await everything()).not.toContain(VALUE);
  });

  it('9-g: sealed with a key that is gone, it is asked for again, without a fault', async () => {
    await open(new FakeVault({ key: 'old' })).set('webhook', VALUE);
    const secrets = open(new FakeVault());
    expect(await secrets.get('webhook')).toBeUndefined();
    expect(await secrets.list()).toMatchObject([{ stored: false, protection: 'keychain' }]);
    await secrets.set('webhook', 'other');
    expect(await secrets.get('webhook')).toBe('other');
  });

  it('a damaged file counts as empty', async () => {
    const secrets = open(new FakeVault());
    await writeFile(join(folder, 'secrets.sealed.json'), '{"webhook": 5');
    expect(await secrets.get('webhook')).toBeUndefined();
  });

  it('removed, it is nowhere', async () => {
    const secrets = open(new FakeVault());
    await secrets.set('webhook', VALUE);
    await secrets.remove('webhook');
    expect(await secrets.list()).toMatchObject([{ stored: false }]);
    expect(await open(new FakeVault()).get('webhook')).toBeUndefined();
  });
});

describe.each([
  ['none at all', new FakeVault({ key: '' }), false],
  ['the backend that has no keyring', new FakeVault({ backend: 'basic_text' }), true],
  ['a backend that seals with the public key', new FakeVault({ key: 'v10' }), true],
])('without a keyring (%s)', (_name, vault, isPublic) => {
  it('9-g: the row never says keychain, and says why', async () => {
    const secrets = open(vault);
    await secrets.set('webhook', VALUE);
    const [row] = await secrets.list();
    expect(row).toMatchObject({ stored: true, protection: 'file' });
    expect(row?.reason).toContain('not encrypted');
    expect(row?.reason?.includes('everybody knows')).toBe(isPublic);
    expect(await open(vault).get('webhook')).toBe(VALUE);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });
});

it('elsewhere than on Linux what the system offers is its keychain', async () => {
  const secrets = open(new FakeVault({ key: 'v10' }), 'darwin');
  await secrets.set('webhook', VALUE);
  expect(await secrets.list()).toEqual([{ name: 'webhook', stored: true, protection: 'keychain' }]);
});
