import type { CallId, JobId } from '../../../app/base/id.ts';
import type { Json } from '../../../app/base/json.ts';
import type { Text } from '../../../app/base/text.ts';
import type { Denied } from '../../../app/sandbox/denied.ts';
import type { Receipt, Result } from '../../../app/tool/result.ts';
import type { Call } from '../row.ts';
import { bytesOf, isText, memberOf, textIn, textOf } from '../texts.ts';
import { languageOf } from '../languages.ts';
import { toolOf } from './head.ts';
import { isJobLive, jobOf } from './jobTags.ts';

export type Label =
  | 'program'
  | 'command'
  | 'output'
  | 'liveOutput'
  | 'logs'
  | 'value'
  | 'display'
  | 'content'
  | 'diff'
  | 'asked'
  | 'told'
  | 'input';

/** What an opened card shows, top to bottom. */
export type Section =
  | { readonly kind: 'code'; readonly label: Label; readonly text: string | Text; readonly language?: string }
  /** What was printed: its end is what one wants to see. */
  | { readonly kind: 'output'; readonly label: Label; readonly text: string | Text }
  | { readonly kind: 'live'; readonly callId: CallId }
  /** All that a job has printed, read from main. `over`: nothing more will come. */
  | { readonly kind: 'job-output'; readonly jobId: JobId; readonly over: boolean }
  | { readonly kind: 'diff'; readonly text: string | Text }
  /** An edit that was not made: what it asked for. */
  | { readonly kind: 'edit'; readonly old: string | Text; readonly new: string | Text }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'paths'; readonly paths: readonly string[] }
  | { readonly kind: 'calls'; readonly calls: readonly Call[] }
  | { readonly kind: 'escalation'; readonly to: string; readonly justification: string }
  | { readonly kind: 'denied'; readonly denied: readonly Denied[] }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'left'; readonly left: number }
  /** A socket file was refused, and a setting decides that. */
  | { readonly kind: 'sockets' }
  /** What was written, to be found again. */
  | { readonly kind: 'digest'; readonly sha256: string }
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  | { readonly kind: 'cleanup-error'; readonly error: string };

export function sectionsOf(call: Call): readonly Section[] {
  const result = call.result?.data;
  return [
    ...(result?.lost ? [{ kind: 'lost', reason: result.lost.reason } as const] : []),
    ...askedFor(call),
    ...escalation(call),
    ...(call.nested.length > 0 ? [{ kind: 'calls', calls: call.nested } as const] : []),
    ...live(call),
    ...(result ? cameOf(call, result) : []),
    ...(result && isAboutSockets(result.content) ? [{ kind: 'sockets' } as const] : []),
    ...(result ? proofs(result) : []),
  ];
}

function askedFor(call: Call): readonly Section[] {
  const input = call.asked?.data.input;
  if (input === undefined) return [];
  switch (toolOf(call)) {
    case 'run_code':
      return [code('program', textIn(input, 'code') ?? '', 'typescript')];
    case 'bash':
      return [code('command', textIn(input, 'command') ?? '', 'shellscript'), ...folder(input)];
    case 'job_start':
      return [code('command', textIn(input, 'command') ?? '', 'shellscript'), ...folder(input), ...paths(input)];
    case 'job_list':
    case 'job_kill':
      return [];
    case 'write':
      return written(call, input);
    case 'edit':
      return edited(call, input);
    case 'job_output':
    case 'read':
    case 'glob':
    case 'grep':
      return Object.keys(input as object).length > 1 ? [json('input', input)] : [];
    default:
      return [json('input', input)];
  }
}

/** A person who was asked has seen the difference; else the log has only what was written. */
function written({ question }: Call, input: Json): readonly Section[] {
  const subject = question?.data.subject;
  const path = textOf(textIn(input, 'path') ?? '');
  if (subject?.kind === 'file' && subject.exists) return [{ kind: 'diff', text: subject.diff }];
  return [code('content', textIn(input, 'content') ?? '', languageOf(path))];
}

function edited({ question, result }: Call, input: Json): readonly Section[] {
  const made = textIn(result?.data.value, 'diff');
  if (made !== undefined) return [{ kind: 'diff', text: made }];
  const subject = question?.data.subject;
  if (subject?.kind === 'file' && subject.diff.bytes > 0) return [{ kind: 'diff', text: subject.diff }];
  return [{ kind: 'edit', old: textIn(input, 'old') ?? '', new: textIn(input, 'new') ?? '' }];
}

function folder(input: Json): readonly Section[] {
  const path = memberOf(input, 'cwd');
  return typeof path === 'string' ? [{ kind: 'folder', path }] : [];
}

function paths(input: Json): readonly Section[] {
  const named = memberOf(input, 'paths');
  const all = Array.isArray(named) ? named.filter((path): path is string => typeof path === 'string') : [];
  return all.length > 0 ? [{ kind: 'paths', paths: all }] : [];
}

/** What a call prints, or the job that it has started. */
function live(call: Call): readonly Section[] {
  const { phase, callId } = call;
  const job = jobOf(call);
  const over = !isJobLive(call);
  return [
    ...(job ? [{ kind: 'job-output', jobId: job.jobId, over } as const] : []),
    ...(phase === 'running' || phase === 'cancelling' || (job && !over) ? [{ kind: 'live', callId } as const] : []),
  ];
}

/** A line of ours: what a command prints stands elsewhere as well. */
function isAboutSockets(content: string): boolean {
  return content.split('\n').includes('unix sockets are blocked in this workspace');
}

function escalation({ asked }: Call): readonly Section[] {
  const escalate = memberOf(asked?.data.input, 'escalate');
  const [to, justification] = [memberOf(escalate, 'to'), textIn(escalate, 'justification')];
  if (typeof to !== 'string') return [];
  return [{ kind: 'escalation', to, justification: textOf(justification ?? '') }];
}

/** What came of it. What only repeats another part is left out; the raw event has all of it. */
function cameOf(call: Call, result: Result): readonly Section[] {
  const { status, facts, logs, display = [], value, content } = result;
  const tool = toolOf(call);
  const isDone = status === 'ok';
  if (facts) return commandSections(result, facts.output);
  if (tool === 'run_code') {
    return [
      ...(logs ? [output('logs', logs)] : []),
      ...display.map((item) => json('display', item)),
      ...(isDone && value !== undefined ? [json('value', value)] : told(content, logs)),
    ];
  }
  if (isDone && tool === 'read')
    return [code('content', content, languageOf(textOf(textIn(call.asked?.data.input, 'path') ?? '')))];
  const printed = tool === 'job_output' ? textIn(value, 'text') : undefined;
  if (isDone && printed !== undefined && bytesOf(printed) > 0) return [output('output', printed)];
  const sha256 = memberOf(value, 'sha256');
  if (isDone && typeof sha256 === 'string') return [{ kind: 'digest', sha256 }];
  return [output('told', content)];
}

/** The model is told the log of a program as well: it is not shown twice. */
function told(content: string, logs: Text | undefined): readonly Section[] {
  const printed = logs?.text.trimEnd() ?? '';
  const at = printed === '' ? -1 : content.indexOf(printed);
  if (at < 0) return [output('told', content)];
  const rest = content.slice(0, at) + content.slice(at + printed.length).trimStart();
  return rest === '' ? [] : [output('told', rest)];
}

/** The text for the model repeats the output of a command; what it adds is said by tags and by other sections. */
function commandSections({ facts, content }: Result, text: Text): readonly Section[] {
  const printed = text.bytes > 0 ? [output('output', text)] : [output('told', content)];
  const left = facts?.left ?? 0;
  const why = facts?.limit ?? facts?.revealed;
  const toldWhy = why !== undefined && text.bytes > 0 ? told(content, text) : [];
  return [...printed, ...toldWhy, ...(left > 0 ? [{ kind: 'left', left } as const] : [])];
}

function proofs({ denied = [], receipt, cleanupError }: Result): readonly Section[] {
  return [
    ...(denied.length > 0 ? [{ kind: 'denied', denied } as const] : []),
    ...(receipt ? [{ kind: 'receipt', receipt } as const] : []),
    ...(cleanupError === undefined ? [] : [{ kind: 'cleanup-error', error: cleanupError } as const]),
  ];
}

function code(label: Label, text: string | Text, language?: string): Section {
  return { kind: 'code', label, text, ...(language !== undefined && { language }) };
}

function output(label: Label, text: string | Text): Section {
  return { kind: 'output', label, text };
}

/** A text alone is shown as it is, anything else as JSON. */
function json(label: Label, value: Json): Section {
  if (isText(value)) return output(label, value);
  return code(label, JSON.stringify(value, null, 2), 'json');
}
