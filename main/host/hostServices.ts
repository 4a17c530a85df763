import type { HostDescription, Note, SecretName, SecretRow } from '../../app/contract/host.ts';

/** What differs between the hosts (hosts.md). The core and the window never ask which one they are in. */
export interface HostServices {
  readonly description: HostDescription;
  readonly secrets: Secrets;
  /** Undefined when the person chose none. Throws RequestError `forbidden` where the host has no dialog. */
  pickFolder(): Promise<string | undefined>;
  /** The caller has checked that it is `https:`. */
  openExternal(url: URL): Promise<void>;
  notify(note: Note): void;
  /** How many approvals wait. */
  badge(count: number): void;
}

/** Values that no log, reply or push ever holds. */
export interface Secrets {
  list(): Promise<readonly SecretRow[]>;
  /** Undefined: none is stored, or what is stored cannot be read here any more. */
  get(name: SecretName): Promise<string | undefined>;
  set(name: SecretName, value: string): Promise<void>;
  remove(name: SecretName): Promise<void>;
}
