import { posix } from 'node:path';
import { readJson } from '../../app/policy/jsonPlaces.ts';
import { readHooks, type HooksBlock } from '../../app/policy/settingsHooks.ts';
import type { Confinement, FileContent, FileFailure, Files } from '../../app/tool/ports.ts';

export const PROJECT_FILE = '.claude/settings.json';

export type ProjectHooks =
  | { readonly kind: 'none' }
  | { readonly kind: 'block'; readonly block: HooksBlock }
  /** The file is there and its hooks are not known. `message` says what is wrong and where. */
  | { readonly kind: 'broken'; readonly message: string };

/** Nobody writes so many hooks; whoever brings a larger file wants its reading to be long. */
const LARGEST = 256 * 1024;

/**
 * The hooks that a workspace brings along. The file is read as a file tool would read it, and through no link: what is
 * protected is the file of this name, and a link leads to one that an agent may write.
 */
export class ProjectHooksFile {
  readonly #files: Files;
  #last: { readonly path: string; readonly sha256: string; readonly hooks: ProjectHooks } | undefined;

  constructor(files: Files) {
    this.#files = files;
  }

  async read(at: Confinement, signal: AbortSignal): Promise<ProjectHooks> {
    const path = posix.join(at.policy.workspace.path, PROJECT_FILE);
    const place = await this.#files.locate(path, at);
    // Also a link that leads nowhere yet.
    if ((place.kind === 'host' || place.kind === 'temp') && place.path !== path) return broken(path, LINK);
    const content = await this.#files.read(path, at, signal);
    if (content.kind === 'not-found' || content.kind === 'workspace-missing') return { kind: 'none' };
    if (content.kind !== 'file') return broken(path, why(content));
    return content.place.path === path ? this.#parsed(path, content) : broken(path, LINK);
  }

  /** Parsed once while it says the same: it is read before every call. */
  #parsed(path: string, content: FileContent): ProjectHooks {
    const { sha256 } = content;
    if (this.#last?.sha256 !== sha256 || this.#last.path !== path) {
      this.#last = { path, sha256, hooks: parse(path, content) };
    }
    return this.#last.hooks;
  }
}

const LINK = 'it is a link, or lies behind one';

function parse(path: string, { bytes, text }: FileContent): ProjectHooks {
  if (bytes > LARGEST) return broken(path, tooLarge(bytes));
  if (text === undefined) return broken(path, 'it is no UTF-8 text');
  const json = readJson(text);
  if (json.kind === 'fault') return broken(path, json.message, json.position);
  const block = readHooks(json.value);
  if ('kind' in block) return broken(path, block.message, json.at(block.path));
  return { kind: 'block', block };
}

function broken(path: string, message: string, position?: { line: number; column: number }): ProjectHooks {
  const place = position ? `${path}:${position.line}:${position.column}` : path;
  return { kind: 'broken', message: `${place}: ${message}` };
}

function why(failure: FileFailure): string {
  switch (failure.kind) {
    case 'denied':
      return failure.reason;
    case 'not-a-file':
      return 'it is no file';
    case 'too-large':
      return tooLarge(failure.bytes);
    default:
      return 'it cannot be read';
  }
}

function tooLarge(bytes: number): string {
  return `it is too large (${bytes} bytes; at most ${LARGEST})`;
}
