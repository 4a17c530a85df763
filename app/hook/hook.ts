import { isNames } from '../policy/matcher.ts';
import { HOOK_POINTS, type HookPoint, type HooksBlock, type HookWrites } from '../policy/settingsHooks.ts';

/** One command of a person's, and where it runs. */
export interface Hook {
  readonly on: HookPoint;
  readonly matcher: string;
  readonly command: string;
  readonly timeoutMs: number;
  readonly writes: HookWrites;
}

/** A hook for one tool. `known` is the name that it is told: the one its author wrote, else the one that others know. */
export interface MatchedHook {
  readonly hook: Hook;
  readonly known: string;
}

/** No hook runs longer, whatever it asks for. */
export const LONGEST_MS = 60_000;

/** What other programs call tools like ours. A job is a command: a rule about commands holds for it too. */
const PUBLIC_NAMES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  job_start: 'Bash',
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
};

/** The hooks of a block, in the order in which they are written. */
export function hooksOf(block: HooksBlock): readonly Hook[] {
  return HOOK_POINTS.flatMap((on) =>
    (block[on] ?? []).flatMap(({ matcher = '', hooks }) =>
      hooks.map(({ command, timeout, writes = 'unknown' }) => ({
        on,
        matcher,
        command,
        timeoutMs: Math.min(LONGEST_MS, Math.ceil((timeout ?? LONGEST_MS / 1000) * 1000)),
        writes,
      })),
    ),
  );
}

/** Those that run at a point of a turn. What they match there is no tool, so all of them do. */
export function hooksAt(hooks: readonly Hook[], on: HookPoint): readonly Hook[] {
  return hooks.filter((hook) => hook.on === on);
}

export function hooksFor(hooks: readonly Hook[], on: HookPoint, tool: string): readonly MatchedHook[] {
  return hooksAt(hooks, on).flatMap((hook) => {
    const known = nameFor(hook.matcher, tool);
    return known === undefined ? [] : [{ hook, known }];
  });
}

/** What the hooks around a call of this tool may write together: nothing, named paths, or nobody knows. */
export function writesAround(hooks: readonly Hook[], tool: string): HookWrites {
  const around = [...hooksFor(hooks, 'PreToolUse', tool), ...hooksFor(hooks, 'PostToolUse', tool)];
  const paths: string[] = [];
  for (const { hook } of around) {
    if (hook.writes === 'unknown') return 'unknown';
    if (hook.writes !== 'none') paths.push(...hook.writes);
  }
  return paths.length === 0 ? 'none' : paths;
}

function nameFor(matcher: string, tool: string): string | undefined {
  const known = Object.hasOwn(PUBLIC_NAMES, tool) ? PUBLIC_NAMES[tool] : undefined;
  const isOurs = matches(matcher, tool);
  const isKnown = known !== undefined && matches(matcher, known);
  // A pattern for both says nothing of which one its author had in mind: a hook brought along knows only the public one.
  return isOurs && (!isKnown || isNames(matcher)) ? tool : isKnown ? known : undefined;
}

/** Plain names, with `|` between them, are meant whole: `read` is not `spread`. */
function matches(matcher: string, name: string): boolean {
  if (matcher === '' || matcher === '*') return true;
  return isNames(matcher) ? matcher.split('|').includes(name) : new RegExp(matcher).test(name);
}
