import * as z from 'zod';
import { TEXT_LIMIT } from '../../base/text.ts';
import { cut, headOf } from '../cut.ts';
import type { Files } from '../ports.ts';
import { failed, type Outcome } from '../result.ts';
import type { Tool, ToolRun } from '../tool.ts';
import { parseGlob, type GlobPattern } from './globPattern.ts';
import { parseRecord, type FoundLine } from './rgRecord.ts';
import { nameFilter, runSearch, shownPath, type Ripgrep } from './ripgrep.ts';
import { isRoot, searchRoot, type SearchRoot } from './searchRoot.ts';

const input = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression (Rust syntax), within one line'),
  path: z.string().min(1).optional().describe('File or folder to search; the workspace by default'),
  glob: z.string().min(1).max(4096).optional().describe('Only files whose path matches, as in the glob tool'),
  literal: z.boolean().default(false).describe('The pattern is plain text'),
  ignoreCase: z.boolean().default(false),
  context: z.int().min(0).max(20).default(0).describe('Lines shown before and after each match'),
  limit: z.int().min(1).max(2000).default(200),
});
export type GrepInput = z.output<typeof input>;

const DESCRIPTION = `Searches the content of files. Matches come back with path, line number and line, sorted. Files that .gitignore
names, binary files and the .git folder are left out.`;

export function grepTool(files: Files, ripgrep: Ripgrep): Tool<GrepInput> {
  return {
    name: 'grep',
    description: DESCRIPTION,
    input,
    effect: 'read',
    presentation: 'generic',
    nested: true,
    starts: 'command',
    plan: async () => ({ writes: 'none' }),
    subject: async ({ pattern, path }) => ({ kind: 'call', input: { pattern, path: path ?? '.' } }),
    run: async (asked, run, signal) => {
      const root = await searchRoot(files, asked.path, { at: run.at, signal });
      if (!isRoot(root)) return root;
      const glob = asked.glob === undefined ? undefined : parseGlob(asked.glob);
      if (asked.glob !== undefined && !glob) return failed('invalid-input', 'The glob has too many alternatives.');
      return search(ripgrep, { asked, root, glob }, { run, signal });
    },
  };
}

interface Asked {
  readonly asked: GrepInput;
  readonly root: SearchRoot;
  readonly glob: GlobPattern | undefined;
}

async function search(
  ripgrep: Ripgrep,
  { asked, root, glob }: Asked,
  call: { readonly run: ToolRun; readonly signal: AbortSignal },
): Promise<Outcome> {
  const lines: FoundLine[] = [];
  let matches = 0;
  const wanted = (path: string) => !glob || root.isFile || glob.matches(shownPath(path, root.path));
  const refusal = await runSearch(
    ripgrep,
    {
      title: `grep ${cut(asked.pattern, 80)}`,
      argv: [...argumentsOf(asked), ...(root.isFile ? [] : nameFilter(glob)), '--', root.path],
      separator: '\n',
      onRecord: (json) => {
        const found = parseRecord(json);
        if (!found || !wanted(found.path)) return 'more';
        if (found.kind === 'match') matches += 1;
        if (matches > asked.limit) return 'enough';
        lines.push({ ...found, text: cut(found.text, LONGEST_LINE) });
        return 'more';
      },
    },
    call,
  );
  return (
    refusal ?? outcomeOf(lines, { limit: asked.limit, more: matches > asked.limit }, call.run.at.policy.workspace.path)
  );
}

/** A line longer than this is cut: one line of a minified file would fill the answer. */
const LONGEST_LINE = 500;

/** Sorted by path, so that the first matches are the same ones every time. */
function argumentsOf({ pattern, literal, ignoreCase, context }: GrepInput): readonly string[] {
  return [
    '--json',
    '--sort=path',
    `--regexp=${pattern}`,
    ...(literal ? ['--fixed-strings'] : []),
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(context > 0 ? [`--context=${context}`] : []),
  ];
}

function outcomeOf(
  lines: readonly FoundLine[],
  { limit, more }: { readonly limit: number; readonly more: boolean },
  workspace: string,
): Outcome {
  const shown = lines.map((found) => ({ ...found, path: shownPath(found.path, workspace) }));
  const matches = shown.filter(({ kind }) => kind === 'match').map(({ path, line, text }) => ({ path, line, text }));
  const told = shown.map(({ kind, path, line, text }) =>
    kind === 'match' ? `${path}:${line}:${text}` : `${path}-${line}-${text}`,
  );
  const all = told.join('\n');
  const fitting = headOf(all, TEXT_LIMIT);
  const notes = [
    ...(fitting.length < all.length ? ['[cut at 64 KiB]'] : []),
    ...(more ? [`[more than ${limit} matches; the rest was left out]`] : []),
  ];
  return {
    status: 'ok',
    content: matches.length === 0 ? 'No matches.' : [fitting, ...notes].join('\n'),
    value: { matches, truncated: more },
  };
}
