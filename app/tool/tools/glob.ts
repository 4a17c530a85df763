import * as z from 'zod';
import type { Files } from '../ports.ts';
import { failed, type Outcome } from '../result.ts';
import type { Tool, ToolRun } from '../tool.ts';
import { parseGlob, type GlobPattern } from './globPattern.ts';
import { nameFilter, runSearch, shownPath, type Ripgrep } from './ripgrep.ts';
import { isRoot, searchRoot } from './searchRoot.ts';

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(4096)
    .describe('*, ?, [a-z], ** for any folders, {a,b}; without a slash: at any depth'),
  path: z.string().min(1).optional().describe('Folder to search; the workspace by default'),
  limit: z.int().min(1).max(10_000).default(1000),
});
export type GlobInput = z.output<typeof input>;

const DESCRIPTION = `Lists files whose path matches a pattern, relative to the workspace and sorted. Files that .gitignore names
and the .git folder are left out.`;

/** Where the list ends while it is not sorted yet. */
const MOST_PATHS = 200_000;

export function globTool(files: Files, ripgrep: Ripgrep): Tool<GlobInput> {
  return {
    name: 'glob',
    description: DESCRIPTION,
    input,
    effect: 'read',
    presentation: 'generic',
    nested: true,
    starts: 'command',
    plan: async () => ({ writes: 'none' }),
    subject: async (asked) => ({
      kind: 'call',
      input: { pattern: asked.pattern, path: asked.path ?? '.', limit: asked.limit },
    }),
    run: async (asked, run, signal) => {
      const root = await searchRoot(files, asked.path, { at: run.at, signal });
      if (!isRoot(root)) return root;
      const pattern = parseGlob(asked.pattern);
      if (!pattern) return failed('invalid-input', 'The pattern has too many alternatives.');
      const found = await list(ripgrep, { root: root.path, pattern }, { run, signal });
      return 'status' in found ? found : outcomeOf(found, asked, run.at.policy.workspace.path);
    },
  };
}

interface Found {
  readonly paths: readonly string[];
  readonly more: boolean;
}

async function list(
  ripgrep: Ripgrep,
  { root, pattern }: { readonly root: string; readonly pattern: GlobPattern },
  call: { readonly run: ToolRun; readonly signal: AbortSignal },
): Promise<Found | Outcome> {
  const paths: string[] = [];
  const refusal = await runSearch(
    ripgrep,
    {
      title: 'glob',
      argv: ['--files', '--null', ...nameFilter(pattern), '--', root],
      separator: '\0',
      onRecord: (path) => {
        // A name that is not UTF-8 cannot be asked for again.
        if (!path.includes('\ufffd') && pattern.matches(shownPath(path, root))) paths.push(path);
        return paths.length < MOST_PATHS ? 'more' : 'enough';
      },
    },
    call,
  );
  return refusal ?? { paths, more: paths.length >= MOST_PATHS };
}

function outcomeOf({ paths, more }: Found, { limit }: GlobInput, workspace: string): Outcome {
  const sorted = paths.map((path) => shownPath(path, workspace)).toSorted();
  const shown = sorted.slice(0, limit);
  const truncated = more || sorted.length > limit;
  const lines = truncated ? [...shown, `[more than ${limit}; the rest was left out]`] : shown;
  return {
    status: 'ok',
    content: lines.length > 0 ? lines.join('\n') : 'No files match.',
    value: { paths: shown, truncated },
  };
}
