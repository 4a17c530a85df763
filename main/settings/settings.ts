import { copyFile, constants } from 'node:fs/promises';
import { Emitter } from '../../app/base/emitter.ts';
import type { JsonObject } from '../../app/base/json.ts';
import { DEFAULT_SETTINGS, NARROW_SETTINGS, shownSettings, type Settings } from '../../app/policy/settings.ts';
import { codeOf } from '../base/codeOf.ts';
import { interpret, load, type Loaded, type SettingsProblem } from './load.ts';
import { mergePatch } from './mergePatch.ts';
import { replaceFile } from './replaceFile.ts';
import { watchFile } from './watchFile.ts';

export interface SettingsOptions {
  readonly file: string;
  /** A person named the file: then its absence is a problem, not the defaults. */
  readonly required?: boolean;
  /** How often a change that the system did not tell of is looked for. */
  readonly pollMs?: number;
  /** Hears of listeners that threw. */
  readonly onFault: (fault: unknown) => void;
}

/** What is in force, and why the file is not where it is not. */
export interface SettingsState {
  readonly settings: Settings;
  readonly revision: string;
  readonly problem?: SettingsProblem;
  /** No good file was ever read: what it protects is not known, so nothing may start that it might forbid. */
  readonly blind: boolean;
}

export interface SettingsReply {
  readonly revision: string;
  /** Known settings with their defaults, and every key of the file that we do not know. */
  readonly settings: JsonObject;
  readonly problem?: SettingsProblem;
}

export type SettingsRefusal =
  | { readonly kind: 'conflict'; readonly message: string }
  /** The file cannot be read, so it is not written over; `replace` does, on a person's word. */
  | { readonly kind: 'malformed'; readonly message: string; readonly problem: SettingsProblem }
  | { readonly kind: 'invalid-input'; readonly message: string; readonly problem: SettingsProblem };

export async function openSettings(options: SettingsOptions): Promise<SettingsFile> {
  return new SettingsFile(options, await load(options.file));
}

/** `settings.json`: the last good content stays in force until another good one replaces it as a whole (policy.md). */
export class SettingsFile {
  readonly #options: SettingsOptions;
  readonly #changes: Emitter<SettingsState>;
  readonly #unwatch: () => void;
  #good: { readonly settings: Settings; readonly raw: JsonObject } | undefined;
  #state: SettingsState;
  /** Reads and writes follow one another, so that none sees half of another's work. */
  #last: Promise<unknown> = Promise.resolve();
  #reloading: Promise<void> | undefined;
  #closed = false;

  constructor(options: SettingsOptions, loaded: Loaded) {
    this.#options = options;
    this.#changes = new Emitter(options.onFault);
    this.#state = this.#judge(loaded);
    this.#unwatch = watchFile(options.file, options.pollMs ?? 1000, () => void this.reload());
  }

  get current(): SettingsState {
    return this.#state;
  }

  /** What is in force now, as a door shows it. */
  get shown(): SettingsReply {
    const { settings, revision, problem } = this.#state;
    return { revision, settings: { ...this.#good?.raw, ...shownSettings(settings) }, ...(problem && { problem }) };
  }

  /** Told whenever what is in force, or the problem with the file, is another. */
  observe(listener: (state: SettingsState) => void): () => void {
    return this.#changes.listen(listener);
  }

  /** Looks at the file now. Calls that come while one waits share its look. */
  reload(): Promise<void> {
    this.#reloading ??= this.#inTurn(async () => {
      this.#reloading = undefined;
      if (!this.#closed) this.#adopt(await load(this.#options.file));
    }).catch(this.#options.onFault);
    return this.#reloading;
  }

  async get(): Promise<SettingsReply> {
    await this.reload();
    return this.shown;
  }

  /** Merges `changes` into the file that `revision` speaks of; null removes a key. Unknown keys stay. */
  set(revision: string, changes: JsonObject): Promise<SettingsReply | SettingsRefusal> {
    return this.#inTurn(async () => {
      const loaded = await load(this.#options.file);
      this.#adopt(loaded);
      if (loaded.revision !== revision) return conflict();
      if (loaded.kind === 'bad') {
        return { kind: 'malformed', message: loaded.problem.message, problem: loaded.problem };
      }
      return await this.#write(revision, this.#merged(changes));
    });
  }

  /**
   * Like `set`, and also writes over a file that cannot be read, which is kept next to it: only on a person's word. That
   * loses nothing, so a `revision` is not needed; where there is one it is held to it.
   */
  replace(revision: string | undefined, changes: JsonObject): Promise<SettingsReply | SettingsRefusal> {
    return this.#inTurn(async () => {
      const { file } = this.#options;
      const loaded = await load(file);
      this.#adopt(loaded);
      if (revision !== undefined && loaded.revision !== revision) return conflict();
      const kept = `${file}.broken-${loaded.revision.slice(0, 12)}`;
      if (loaded.kind === 'bad') await copyFile(file, kept, constants.COPYFILE_EXCL).catch(unlessThere);
      return await this.#write(loaded.revision, this.#merged(changes));
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unwatch();
    await this.#last;
  }

  /** A table that the file does not have yet begins with the entries in force, or one new preset would replace them all. */
  #merged(changes: JsonObject): JsonObject {
    const raw = this.#good?.raw ?? {};
    const base =
      'presets' in changes && !('presets' in raw)
        ? { ...raw, presets: shownSettings(DEFAULT_SETTINGS).presets ?? {} }
        : raw;
    return mergePatch(base, changes) as JsonObject; // A merge into an object is an object.
  }

  async #write(revision: string, next: JsonObject): Promise<SettingsReply | SettingsRefusal> {
    const { file } = this.#options;
    const text = `${JSON.stringify(next, null, 2)}\n`;
    const checked = interpret(file, Buffer.from(text));
    if (checked.kind === 'bad') {
      return { kind: 'invalid-input', message: checked.problem.message, problem: checked.problem };
    }
    const unchanged = async () => (await load(file)).revision === revision;
    if (!(await replaceFile(file, text, unchanged))) return conflict();
    this.#adopt(await load(file));
    return this.shown;
  }

  #adopt(loaded: Loaded): void {
    const before = this.#state;
    this.#state = this.#judge(loaded);
    if (before.revision === this.#state.revision && before.problem?.message === this.#state.problem?.message) return;
    if (!this.#closed) this.#changes.emit(this.#state);
  }

  #judge(loaded: Loaded): SettingsState {
    const { revision } = loaded;
    if (loaded.kind === 'good') this.#good = { settings: loaded.settings, raw: loaded.raw };
    if (loaded.kind === 'good') return { settings: loaded.settings, revision, blind: false };
    if (loaded.kind === 'bad') return this.#failed(revision, loaded.problem);
    // Gone while we run is no wish for the defaults: an editor may be saving, and rules must not vanish with a typo.
    if (this.#options.required || this.#good) return this.#failed(revision, absent(this.#options.file));
    return { settings: DEFAULT_SETTINGS, revision, blind: false };
  }

  #failed(revision: string, problem: SettingsProblem): SettingsState {
    return { settings: this.#good?.settings ?? NARROW_SETTINGS, revision, problem, blind: !this.#good };
  }

  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function conflict(): SettingsRefusal {
  return { kind: 'conflict', message: 'The settings were changed since they were read' };
}

function absent(file: string): SettingsProblem {
  return { file, line: 1, column: 1, message: `${file}:1:1: the file does not exist` };
}

/** A copy of these very bytes is there already. */
function unlessThere(fault: unknown): void {
  if (codeOf(fault) !== 'EEXIST') throw fault;
}
