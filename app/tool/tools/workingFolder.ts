import { boundRoots, isWithin, type Place } from '../../sandbox/place.ts';
import type { Confinement, Files } from '../ports.ts';
import { refused, type Outcome } from '../result.ts';
import type { CallPlan } from '../tool.ts';
import { isPlace, refusalOf } from './fileParts.ts';

export interface FolderParts {
  readonly files: Pick<Files, 'locate'>;
  readonly deniedLine: (at: Confinement) => string;
}

/** What a command that declares nothing may write, or why it may not run in this folder. */
export async function planCommand(parts: FolderParts, cwd: string | undefined, at: Confinement): Promise<CallPlan> {
  const folder = await workingFolder(parts, cwd, at);
  const writes = at.policy.mode === 'read-only' ? 'none' : 'whole';
  return typeof folder === 'string' ? { writes } : { writes: 'none', refusal: folder };
}

/** A folder to run in widens nothing: it must be one that the sandbox has anyway. Links are followed first. */
export async function workingFolder(
  parts: FolderParts,
  cwd: string | undefined,
  at: Confinement,
): Promise<string | Outcome> {
  const place = await parts.files.locate(cwd ?? at.policy.workspace.path, at);
  if (!isPlace(place)) return refusalOf(place, 'read', { parts, at });
  if (mayRunIn(place, at)) return place.path;
  const text = `Denied: the working folder ${place.path} is outside workspace ${at.policy.workspace.path}.`;
  const denied = { operation: 'cwd', path: place.path, mode: at.policy.mode, certain: true };
  return { ...refused('denied', `${text}\n${parts.deniedLine(at)}`), denied: [denied] };
}

/** As a person is shown it, also where nothing can run in it. */
export async function shownFolder({ files }: FolderParts, cwd: string | undefined, at: Confinement): Promise<string> {
  const { path } = await files.locate(cwd ?? at.policy.workspace.path, at);
  return path;
}

function mayRunIn(place: Place, { policy }: Confinement): boolean {
  if (policy.mode === 'danger-full-access' || place.kind === 'temp') return true;
  return boundRoots(policy).some((root) => isWithin(place.path, root));
}
