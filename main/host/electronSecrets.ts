import { readFile } from 'node:fs/promises';
import type { SafeStorage } from 'electron/main';
import { SECRET_NAMES, type SecretName, type SecretRow } from '../../app/contract/host.ts';
import { codeOf } from '../base/codeOf.ts';
import { parseJson } from '../base/parseJson.ts';
import { replaceFile } from '../settings/replaceFile.ts';
import type { Texts } from '../electron/text.ts';
import type { Secrets } from './hostServices.ts';

export type Vault = Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'
>;

export interface ElectronSecretsOptions {
  readonly vault: Vault;
  readonly platform: NodeJS.Platform;
  /** Of what the keyring's key has sealed. */
  readonly file: string;
  /** Keeps them where there is no keyring. */
  readonly plain: Secrets;
  readonly texts: () => Texts;
}

type Sealed = { readonly [N in SecretName]?: string };

/**
 * Secrets sealed with a key of the system's keyring; without one, kept as the browser host keeps them, and called so. What
 * was kept unsealed is sealed as soon as there is a keyring.
 */
export class ElectronSecrets implements Secrets {
  readonly #options: ElectronSecretsOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ElectronSecretsOptions) {
    this.#options = options;
  }

  list(): Promise<readonly SecretRow[]> {
    return this.#inTurn(async () => {
      const lack = this.#lack();
      if (lack !== undefined) return (await this.#options.plain.list()).map((row) => withReason(row, lack));
      const sealed = await this.#sealed();
      return SECRET_NAMES.map((name) => {
        const stored = this.#open(sealed[name]) !== undefined;
        return { name, stored, protection: 'keychain' as const };
      });
    });
  }

  get(name: SecretName): Promise<string | undefined> {
    return this.#inTurn(async () => {
      if (this.#lack() !== undefined) return this.#options.plain.get(name);
      return this.#open((await this.#sealed())[name]);
    });
  }

  set(name: SecretName, value: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#lack() !== undefined) return this.#options.plain.set(name, value);
      await this.#write({ ...(await this.#sealed()), [name]: this.#seal(value) });
    });
  }

  remove(name: SecretName): Promise<void> {
    return this.#inTurn(async () => {
      const { [name]: gone, ...others } = await this.#read();
      if (gone !== undefined) await this.#write(others);
      await this.#options.plain.remove(name);
    });
  }

  /** One after the other, so that no change undoes another. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Undefined where a key that only this user's keyring has is used. Else what there is to say beside that. */
  #lack(): string | undefined {
    const { vault, platform, texts } = this.#options;
    if (!vault.isEncryptionAvailable()) return '';
    if (platform !== 'linux') return undefined;
    const backend = vault.getSelectedStorageBackend();
    // `v10` stands before what Chromium seals with a key that is in its source.
    const isPublic = backend === 'basic_text' || vault.encryptString('probe').toString('latin1').startsWith('v10');
    return isPublic ? texts().publicKey : undefined;
  }

  /** What is sealed, after what was not has become so. */
  async #sealed(): Promise<Sealed> {
    const { plain } = this.#options;
    let sealed = await this.#read();
    for (const { name, stored } of await plain.list()) {
      const value = stored ? await plain.get(name) : undefined;
      if (value === undefined) continue;
      sealed = { ...sealed, [name]: this.#seal(value) };
      await this.#write(sealed);
      await plain.remove(name);
    }
    return sealed;
  }

  #seal(value: string): string {
    return this.#options.vault.encryptString(value).toString('base64');
  }

  /** Undefined when it was sealed with a key that is gone: it is asked for again. */
  #open(sealed: string | undefined): string | undefined {
    if (sealed === undefined) return undefined;
    try {
      return this.#options.vault.decryptString(Buffer.from(sealed, 'base64'));
    } catch {
      return undefined;
    }
  }

  async #read(): Promise<Sealed> {
    const value = parseJson(await readFile(this.#options.file, 'utf8').catch(unlessThere));
    if (typeof value !== 'object' || value === null) return {};
    const entries = SECRET_NAMES.map((name) => [name, Reflect.get(value, name) as unknown] as const);
    return Object.fromEntries(entries.filter(([, sealed]) => typeof sealed === 'string'));
  }

  async #write(sealed: Sealed): Promise<void> {
    await replaceFile(this.#options.file, JSON.stringify(sealed), async () => true);
  }
}

function withReason(row: SecretRow, lack: string): SecretRow {
  return { ...row, reason: [row.reason, lack].filter(Boolean).join(' ') };
}

/** None was ever sealed. What cannot be read for another reason must not be written over as if it were empty. */
function unlessThere(fault: unknown): string {
  if (codeOf(fault) === 'ENOENT') return '';
  throw fault;
}
