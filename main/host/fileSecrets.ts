import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { SECRET_NAMES, type SecretName, type SecretRow } from '../../app/contract/host.ts';
import { RequestError } from '../../app/contract/reply.ts';
import { codeOf } from '../base/codeOf.ts';
import { parseJson } from '../base/parseJson.ts';
import { replaceFile } from '../settings/replaceFile.ts';
import type { Secrets } from './hostServices.ts';

/** Of the data folder. */
export const SECRETS_FILE = 'secrets.json';

type Stored = ReadonlyMap<string, string>;
/** What is in the file; a damaged one holds nothing that could be used, and is written anew with the next secret. */
type Found = { readonly kind: 'stored'; readonly values: Stored } | { readonly kind: 'damaged' };

/**
 * Secrets in a file that only its owner can read, for a machine without a keyring: kept apart, not protected. A value
 * leaves this object through `get` alone; no fault carries a part of the file.
 */
export class FileSecrets implements Secrets {
  readonly #file: string;
  /** Each change begins with what the one before has written. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  async list(): Promise<readonly SecretRow[]> {
    const found = await this.#read();
    const reason = found.kind === 'damaged' ? damaged(this.#file) : unprotected(this.#file);
    return SECRET_NAMES.map((name) => ({
      name,
      stored: valuesOf(found).has(name),
      protection: 'file',
      reason,
    }));
  }

  async get(name: SecretName): Promise<string | undefined> {
    return valuesOf(await this.#read()).get(name);
  }

  set(name: SecretName, value: string): Promise<void> {
    return this.#change((values) => new Map(values).set(name, value));
  }

  remove(name: SecretName): Promise<void> {
    return this.#change((values) => new Map(Array.from(values).filter(([each]) => each !== name)));
  }

  #change(changed: (values: Stored) => Stored): Promise<void> {
    const change = this.#last.then(async () => {
      const values = changed(valuesOf(await this.#read()));
      await replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`, async () => true);
    });
    this.#last = change.catch(() => undefined);
    return change;
  }

  async #read(): Promise<Found> {
    try {
      const file = await open(this.#file, constants.O_RDONLY);
      try {
        // Restored or copied by hand it may be open to others; from now on it is not.
        if (((await file.stat()).mode & 0o077) !== 0) await file.chmod(0o600);
        return interpret(await file.readFile('utf8'));
      } finally {
        await file.close();
      }
    } catch (fault) {
      if (codeOf(fault) === 'ENOENT') return { kind: 'stored', values: new Map() };
      throw new RequestError('storage', `The secrets in ${this.#file} cannot be read.`, { cause: fault });
    }
  }
}

/** Without what the parser has to say: it would quote the file. */
function interpret(text: string): Found {
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return { kind: 'damaged' };
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(parsed)) {
    if (typeof value !== 'string') return { kind: 'damaged' };
    values.set(name, value);
  }
  return { kind: 'stored', values };
}

function valuesOf(found: Found): Stored {
  return found.kind === 'stored' ? found.values : new Map();
}

function unprotected(file: string): string {
  return `There is no keyring here. A secret is kept in ${file}, which only your user may read but which is not encrypted.`;
}

function damaged(file: string): string {
  return `${file} is damaged, so no secret can be read from it. Enter the secret again: the file is then written anew.`;
}
