/** What decides which host `npm start` runs (hosts.md, Commands of the README). */
export interface Machine {
  readonly electron: ElectronBinary;
  readonly hasDisplay: boolean;
  readonly isRoot: boolean;
}

export type ElectronBinary =
  | { readonly kind: 'present'; readonly path: string }
  /** What to do about it is only known for the one that `node_modules` should have. */
  | { readonly kind: 'absent'; readonly why: string; readonly remedy?: string };

/** `reason` is a sentence for a person: why this host runs and not the other. */
export type StartPlan =
  | { readonly host: 'electron'; readonly binary: string; readonly reason: string }
  | { readonly host: 'browser'; readonly reason: string };

export function planStart({ electron, hasDisplay, isRoot }: Machine): StartPlan {
  const obstacles: string[] = [];
  if (!hasDisplay) obstacles.push('there is no display');
  if (isRoot) obstacles.push('as root it does not run in its sandbox');
  if (electron.kind === 'present' && obstacles.length === 0) {
    return { host: 'electron', binary: electron.path, reason: 'Electron is installed, and there is a display.' };
  }
  // What to install is only worth saying where it would help.
  const remedy = electron.kind === 'absent' && obstacles.length === 0 ? electron.remedy : undefined;
  if (electron.kind === 'absent') obstacles.unshift(electron.why);
  const reason = `Electron is not used, because ${list(obstacles)}.`;
  return { host: 'browser', reason: remedy === undefined ? reason : `${reason} ${remedy}` };
}

function list(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
