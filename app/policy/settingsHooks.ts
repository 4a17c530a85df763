import { z } from 'zod';
import type { Json } from '../base/json.ts';
import { matcherFault } from './matcher.ts';
import { issueOf, type SettingsIssue } from './settingsIssue.ts';

/** The points of a Session's work at which hooks run (agent.md, Hooks). */
export const HOOK_POINTS = ['PreToolUse', 'PostToolUse', 'SessionStart', 'UserPromptSubmit', 'Stop'] as const;
export type HookPoint = (typeof HOOK_POINTS)[number];

/**
 * What a hook may write, as its author declares it: it is trusted as far as leases go and no further, since the sandbox
 * of the Session's Mode confines it all the same.
 */
export type HookWrites = 'none' | 'unknown' | readonly string[];

export interface HookSetting {
  readonly type: 'command';
  /** A command line for the shell. */
  readonly command: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly writes?: HookWrites;
}

export interface HookGroup {
  /** A regular expression over the name of a tool; `*`, empty or absent: every tool. */
  readonly matcher?: string;
  readonly hooks: readonly HookSetting[];
}

/** The `hooks` block of a file, in the format of `.claude/settings.json`. */
export type HooksBlock = { readonly [Point in HookPoint]?: readonly HookGroup[] };

/** Points of other programs that read this format, which no Session of ours comes to: they are left as they are. */
const FOREIGN_POINTS = [
  'Notification',
  'PermissionRequest',
  'PostToolUseFailure',
  'PreCompact',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
] as const;

const command = z
  .string()
  .refine((text) => text.trim() !== '', 'must not be blank')
  .refine((text) => !text.includes('\0'), 'must not contain a NUL character');

const WRITES = 'must be "none", "unknown" or a list of paths';
const writes = z.union([z.enum(['none', 'unknown']), z.array(z.string().min(1)).min(1)], { error: WRITES });

const hook = z.object({
  type: z.literal('command'),
  command,
  timeout: z.number().positive().exactOptional(),
  writes: writes.exactOptional(),
});

const matcher = z.string().superRefine((text, context) => {
  const fault = matcherFault(text);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

const group = z.object({
  matcher: matcher.exactOptional(),
  hooks: z.array(hook),
});
const groups = z.array(group).exactOptional();

export const hooksSchema = z.strictObject({
  ...(Object.fromEntries(HOOK_POINTS.map((point) => [point, groups])) as { readonly [P in HookPoint]: typeof groups }),
  ...Object.fromEntries(FOREIGN_POINTS.map((point) => [point, z.unknown().optional()])),
});

const file = z.object({ hooks: hooksSchema.exactOptional() });

/** The block of a file that has more in it than we know; all of the block, or what is wrong with it and where. */
export function readHooks(value: Json): HooksBlock | SettingsIssue {
  const parsed = file.safeParse(value);
  return parsed.success ? (parsed.data.hooks ?? {}) : issueOf(parsed.error, value);
}

export function hasHooks(block: HooksBlock): boolean {
  return HOOK_POINTS.some((point) => block[point]?.some(({ hooks }) => hooks.length > 0));
}
