import { causeOf } from '../../base/cancel.ts';
import { tailOf, TEXT_LIMIT, utf8Bytes } from '../../base/text.ts';
import type { Denied } from '../../sandbox/denied.ts';
import type { Facts } from '../../sandbox/facts.ts';
import type { SandboxPolicy } from '../../sandbox/policy.ts';
import type { CommandDone } from '../ports.ts';
import { socketLine } from '../../sandbox/socketHint.ts';
import { codeOfCancel, type Outcome, type ResultCode, type Status } from '../result.ts';

export interface Ran {
  readonly policy: SandboxPolicy;
  readonly timeoutMs: number;
  readonly deniedLine: string;
  /** The call's; its cause says why a cancelled command was cancelled. */
  readonly signal: AbortSignal;
}

/** What a command's end means as a result: the facts as they are, and the text that the model reads. */
export function commandOutcome({ facts, hints, closeError }: CommandDone, ran: Ran): Outcome {
  const end = endOf(facts, ran);
  const { mode } = ran.policy;
  // A death by signal or an exit code 0 is never a denial, whatever was printed (sandbox.md, Denials).
  const counts = end.status === 'ok' && facts.exitCode !== 0;
  const denied: readonly Denied[] = counts ? hints.map((hint) => ({ ...hint, mode, certain: false })) : [];
  const notes = [
    end.text,
    ...(facts.left > 0 ? [leftText(facts.left)] : []),
    ...(denied.length > 0 ? deniedTexts(denied, ran) : []),
    ...(closeError === undefined ? [] : [`It could not be ended: ${closeError}`]),
  ];
  return {
    status: end.status,
    ...(end.code && { code: end.code }),
    content: [...outputTexts(facts), ...notes].filter((text) => text !== '').join('\n'),
    ...(end.status === 'ok' && { value: { ...facts, output: { ...facts.output } } }),
    facts,
    ...(denied.length > 0 && { denied }),
    ...(closeError !== undefined && { cleanupError: closeError }),
  };
}

interface End {
  readonly status: Status;
  readonly code?: ResultCode;
  readonly text: string;
}

/** A limit ends a command by a signal, and a timeout by a cancel: the cause outranks the means. */
function endOf(facts: Facts, { policy, signal, timeoutMs }: Ran): End {
  const { limit, timedOut, cancelled, revealed } = facts;
  const { limits } = policy.settings;
  if (revealed !== undefined) return { status: 'failed', text: revealedText(revealed) };
  if (limit === 'memory' || limit === 'heap')
    return failedAt(limit, `it used more than the ${sizeText(limits.memoryBytes)} of memory that it may`);
  if (limit === 'process')
    return failedAt(limit, `it had all of the ${limits.processes} processes and threads that it may`);
  if (timedOut)
    return { status: 'failed', code: 'timeout', text: `timed out after ${timeoutMs / 1000} s and was ended` };
  if (cancelled) return { status: 'cancelled', code: codeOfCancel(causeOf(signal)), text: 'cancelled' };
  return metLimit(facts, policy) ?? plainEnd(facts);
}

function revealedText(path: string): string {
  return `ended: a hidden file appeared while it ran, and it could have been read: ${path}`;
}

function failedAt(limit: 'memory' | 'heap' | 'process', why: string): End {
  return { status: 'failed', code: `${limit}-limit`, text: `ended: ${limit} limit: ${why}` };
}

/** Neither of these ends a command: it went on, or failed by itself. */
function metLimit(facts: Facts, { settings: { limits } }: SandboxPolicy): End | undefined {
  const end = plainEnd(facts);
  if (facts.limit === 'output')
    return {
      ...end,
      code: 'output-limit',
      text: joined(end.text, `it printed more than ${sizeText(limits.outputBytes)}`),
    };
  if (facts.limit !== 'temp') return undefined;
  const text = joined(end.text, `the private temp (/tmp, ${sizeText(limits.tempBytes)}) of this Session is full`);
  return facts.exitCode === 0 ? { ...end, text } : { ...end, code: 'temp-limit', text };
}

function plainEnd({ signal: killedBy, exitCode, output }: Facts): End {
  if (killedBy !== null) return { status: 'failed', text: `killed by ${killedBy}` };
  if (exitCode === 0) return { status: 'ok', text: output.bytes === 0 ? 'exit code 0, no output' : '' };
  return { status: 'ok', text: `exit code ${exitCode}` };
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('; ');
}

function sizeText(bytes: number): string {
  const gib = bytes / 2 ** 30;
  return gib >= 1 ? `${Number(gib.toFixed(1))} GiB` : `${Number((bytes / 2 ** 20).toFixed(1))} MiB`;
}

/** Of a result's text, what the notes on the output may take: the first of them stands before it and must not be cut off. */
const NOTES_ROOM = 2 * 1024;

function outputTexts({ output: { text, bytes, dropped } }: Facts): readonly string[] {
  const gone = dropped > 0 ? `, ${dropped} bytes were dropped` : '';
  const shown = tailOf(text, TEXT_LIMIT - NOTES_ROOM);
  const note = utf8Bytes(shown) < bytes ? [`[the end of ${bytes} bytes of output${gone}]`] : [];
  return [...note, shown.endsWith('\n') ? shown.slice(0, -1) : shown];
}

function leftText(left: number): string {
  return left === 1
    ? 'A background process that the command left was ended with it.'
    : `${left} background processes that the command left were ended with it.`;
}

function deniedTexts(denied: readonly Denied[], { policy, deniedLine }: Ran): readonly string[] {
  return [...socketLine(denied, policy), deniedLine];
}
