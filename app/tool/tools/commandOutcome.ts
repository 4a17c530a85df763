import { causeOf } from '../../base/cancel.ts';
import { utf8Bytes } from '../../base/text.ts';
import type { Denied } from '../../sandbox/denied.ts';
import type { Facts } from '../../sandbox/facts.ts';
import type { SandboxPolicy } from '../../sandbox/policy.ts';
import type { CommandDone } from '../ports.ts';
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
function endOf(facts: Facts, { signal, timeoutMs }: Ran): End {
  const { limit, timedOut, cancelled, signal: killedBy, exitCode } = facts;
  if (limit !== undefined) return { status: 'failed', code: `${limit}-limit`, text: `ended: ${limit} limit` };
  if (timedOut)
    return { status: 'failed', code: 'timeout', text: `timed out after ${timeoutMs / 1000} s and was ended` };
  if (cancelled) return { status: 'cancelled', code: codeOfCancel(causeOf(signal)), text: 'cancelled' };
  if (killedBy !== null) return { status: 'failed', text: `killed by ${killedBy}` };
  if (exitCode === 0) return { status: 'ok', text: facts.output.bytes === 0 ? 'exit code 0, no output' : '' };
  return { status: 'ok', text: `exit code ${exitCode}` };
}

function outputTexts({ output: { text, bytes, dropped } }: Facts): readonly string[] {
  const gone = dropped > 0 ? `, ${dropped} bytes were dropped` : '';
  const note = utf8Bytes(text) < bytes ? [`[the end of ${bytes} bytes of output${gone}]`] : [];
  return [...note, text.endsWith('\n') ? text.slice(0, -1) : text];
}

function leftText(left: number): string {
  return left === 1
    ? 'A background process that the command left was ended with it.'
    : `${left} background processes that the command left were ended with it.`;
}

function deniedTexts(denied: readonly Denied[], { policy, deniedLine }: Ran): readonly string[] {
  const sockets = denied.some(({ operation }) => operation === 'socket') && policy.settings.unixSockets === 'block';
  return [...(sockets ? ['unix sockets are blocked in this workspace'] : []), deniedLine];
}
