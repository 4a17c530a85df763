import type { Note, SecretName, SecretRow } from '../../app/contract/host.ts';
import { describeHost } from './description.ts';
import type { HostServices } from './hostServices.ts';

/** A host that remembers what it was asked for, with a keyring unless said otherwise. */
export class MemoryHost implements HostServices {
  readonly description = describeHost('browser', { canPickFolder: true });
  readonly notes: Note[] = [];
  readonly badges: number[] = [];
  readonly opened: string[] = [];
  readonly values = new Map<SecretName, string>();
  readonly #protection: SecretRow['protection'];
  readonly #picked: string | undefined;

  constructor({ protection = 'keychain', picked }: { protection?: SecretRow['protection']; picked?: string } = {}) {
    this.#protection = protection;
    this.#picked = picked;
  }

  readonly secrets: HostServices['secrets'] = {
    list: async () => [{ name: 'webhook', stored: this.values.has('webhook'), protection: this.#protection }],
    get: async (name) => this.values.get(name),
    set: async (name, value) => void this.values.set(name, value),
    remove: async (name) => void this.values.delete(name),
  };

  async pickFolder(): Promise<string | undefined> {
    return this.#picked;
  }

  async openExternal(url: URL): Promise<void> {
    this.opened.push(url.href);
  }

  notify(note: Note): void {
    this.notes.push(note);
  }

  badge(count: number): void {
    this.badges.push(count);
  }
}
