import type { Text } from '../../../app/base/text.ts';
import type { Json } from '../../../app/base/json.ts';
import type { Dictionary } from '../../text/text.ts';
import type { Call } from '../row.ts';
import { textIn, textOf } from '../texts.ts';
import { wordOf } from '../wordOf.ts';

export interface Head {
  /** What kind of call, in our words; the tool's own name where we have none. */
  readonly tool: string;
  /** What it is about, one line of it: untrusted text. */
  readonly what: string;
}

/** Longer than any line that is shown. */
const LONGEST = 300;

export function headOf(call: Call, { transcript: words }: Dictionary): Head {
  const name = toolOf(call);
  const input = call.asked?.data.input;
  return {
    tool: wordOf(words.tools, name) ?? name ?? words.unknownTool,
    // Of a job one knows the title, not the id that a call about it is given.
    what: call.job?.started?.data.title ?? (input === undefined ? '' : whatOf(name, input)),
  };
}

/** Of a call of which nothing but its event is at hand. */
export function headOfAsked({ data: { tool, input } }: NonNullable<Call['asked']>, { transcript }: Dictionary): Head {
  return { tool: wordOf(transcript.tools, tool) ?? tool, what: whatOf(tool, input) };
}

/** Undefined where nothing that is here names it. */
export function toolOf({ asked, started, result, question }: Call): string | undefined {
  return asked?.data.tool ?? started?.data.tool ?? result?.data.tool ?? question?.data.tool;
}

/** The member of the input that says what a call is about. */
const TELLING: Readonly<Record<string, string>> = {
  run_code: 'title',
  bash: 'command',
  read: 'path',
  write: 'path',
  edit: 'path',
  glob: 'pattern',
  grep: 'pattern',
  job_start: 'title',
  job_output: 'jobId',
  job_kill: 'jobId',
};

/** One line of what a call is about. */
export function whatOf(tool: string | undefined, input: Json): string {
  const member = wordOf(TELLING, tool);
  const told = member === undefined ? undefined : textIn(input, member);
  return firstLine(told ?? firstText(input));
}

/** Of a tool that we do not know: the first text that it is given. */
function firstText(input: Json): string {
  if (typeof input !== 'object' || input === null) return JSON.stringify(input);
  return Object.values(input).find((value): value is string => typeof value === 'string') ?? '';
}

function firstLine(text: string | Text): string {
  const start = textOf(text).trimStart().slice(0, LONGEST);
  return start.split('\n', 1)[0]?.toWellFormed() ?? '';
}
