import { posix } from 'node:path';
import { readJson } from '../../app/policy/jsonPlaces.ts';
import { readHooks, type HooksBlock } from '../../app/policy/settingsHooks.ts';
import { isWithin } from '../../app/sandbox/place.ts';
import type { Confinement, FileFailure, Files } from '../../app/tool/ports.ts';

export const PROJECT_FILE = '.claude/settings.json';

export type ProjectHooks =
  | { readonly kind: 'none' }
  | { readonly kind: 'block'; readonly block: HooksBlock }
  /** The file is there and its hooks are not known. `message` says what is wrong and where. */
  | { readonly kind: 'broken'; readonly message: string };

/**
 * The hooks that a workspace brings along. The file is read as a file tool would read it, and a link that leads out of the
 * workspace is not followed: whoever wrote the workspace does not choose what else is read.
 */
export async function readProjectHooks(files: Files, at: Confinement, signal: AbortSignal): Promise<ProjectHooks> {
  const root = at.policy.workspace.path;
  const path = posix.join(root, PROJECT_FILE);
  const content = await files.read(path, at, signal);
  if (content.kind === 'not-found' || content.kind === 'workspace-missing') return { kind: 'none' };
  if (content.kind !== 'file') return broken(path, why(content));
  if (!isWithin(content.place.path, root)) return broken(path, 'it is a link that leads out of the workspace');
  if (content.text === undefined) return broken(path, 'it is no UTF-8 text');
  const json = readJson(content.text);
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
      return `it is too large (${failure.bytes} bytes)`;
    default:
      return 'it cannot be read';
  }
}
