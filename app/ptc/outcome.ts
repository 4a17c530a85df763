import { causeOf } from '../base/cancel.ts';
import type { Outcome, ResultCode, Status } from '../tool/result.ts';
import type { EnvironmentEnd } from './events.ts';
import type { Completion, Environment } from './nodeProvider.ts';

interface Ran {
  readonly environment: Pick<Environment, 'retained' | 'lost'>;
  readonly signal: AbortSignal;
  readonly escalated: boolean;
}

/** What a program's end means as a result: what the model reads, and what a nested caller or a person is told. */
export function outcomeOf(completion: Completion, ran: Ran): Outcome {
  const told = tell(completion, ran);
  const notes = [
    ...lossBefore(ran),
    ...completion.late.map((text) => `Left behind by an earlier or this program: ${text}`),
  ];
  return {
    status: told.status,
    ...(told.code && { code: told.code }),
    content: [...notes, completion.logs.text.trimEnd(), droppedText(completion), told.text]
      .filter((part) => part !== '')
      .join('\n'),
    ...(completion.kind === 'value' && { value: completion.value }),
    ...(completion.logs.bytes > 0 && { logs: completion.logs }),
    ...(completion.display.length > 0 && { display: completion.display }),
    ...lostOf(completion, ran),
  };
}

/** After what is left of the output: a text that is too long loses its beginning. */
function droppedText({ logs: { bytes, dropped } }: Completion): string {
  return dropped > 0 ? `[the end of ${bytes} bytes of output, ${dropped} bytes were dropped]` : '';
}

interface Told {
  readonly status: Status;
  readonly code?: ResultCode;
  readonly text: string;
}

function tell(completion: Completion, ran: Ran): Told {
  switch (completion.kind) {
    case 'value':
      return { status: 'ok', text: JSON.stringify(completion.value, null, 2) };
    case 'inspected':
      return { status: 'ok', text: completion.text };
    case 'exception':
      return { status: 'failed', code: 'exception', text: completion.stack + freshProcessLine(completion, ran) };
    case 'stopped':
      return stopped(completion.kept, ran);
    case 'lost':
      return lost(completion.reason, ran);
  }
}

function freshProcessLine(completion: Completion & { kind: 'exception' }, ran: Ran): string {
  if (!ran.escalated || completion.name !== 'ReferenceError') return '';
  return '\nAn escalated program runs in a fresh process without the standing variables: it must contain everything it needs.';
}

function stopped(kept: boolean, { signal, environment }: Ran): Told {
  const told = cancelled(signal);
  // A change ends the process all the same, however softly the program was stopped.
  const isKept = kept && environment.retained && told.code !== 'mode-changed' && told.code !== 'shutdown';
  return { ...told, text: isKept ? `${told.text} The variables were kept.` : told.text };
}

function cancelled(signal: AbortSignal): Told {
  if (!signal.aborted)
    return { status: 'failed', code: 'timeout', text: 'The program ran out of time and was stopped.' };
  const cause = causeOf(signal);
  switch (cause.kind) {
    case 'mode-changed':
    case 'settings-changed':
      return {
        status: 'cancelled',
        code: 'mode-changed',
        text: 'The program was cancelled: the policy it ran under has changed.',
      };
    case 'timeout':
      return { status: 'failed', code: 'timeout', text: 'The program ran out of time and was stopped.' };
    case 'shutdown':
    case 'unload':
      return { status: 'cancelled', code: 'shutdown', text: 'The program was cancelled: Gatehouse is closing.' };
    default:
      return { status: 'cancelled', code: 'stopped', text: 'The program was stopped.' };
  }
}

const LOST: Record<EnvironmentEnd, readonly [ResultCode, string]> = {
  released: ['environment-lost', 'Its process was released.'],
  'mode-changed': ['mode-changed', 'The program was cancelled: the sandbox mode has changed.'],
  'settings-changed': ['mode-changed', 'The program was cancelled: the sandbox settings have changed.'],
  timeout: ['timeout', 'The program ran out of time and its process was ended.'],
  abort: ['stopped', 'The program was stopped and its process was ended.'],
  'output-limit': ['output-limit', 'The program wrote more output than is allowed and its process was ended.'],
  'heap-limit': ['heap-limit', 'The program used more heap than is allowed and its process died.'],
  'memory-limit': ['memory-limit', 'The program used more memory than is allowed and its process was ended.'],
  'process-limit': ['process-limit', 'The program started more processes than is allowed and was ended.'],
  'temp-limit': ['temp-limit', 'The program filled the private temp of its Session and was ended.'],
  crash: ['environment-lost', 'The process of the program died.'],
  exit: ['environment-lost', 'The program ended its own process.'],
  idle: ['environment-lost', 'The process was idle for too long.'],
  reset: ['environment-lost', 'The variables were reset.'],
  restarted: ['environment-lost', 'Gatehouse was restarted.'],
  'protected-entry': ['environment-lost', 'Something appeared or was replaced that is protected or hidden from it.'],
};

function lost(reason: EnvironmentEnd, { signal, environment }: Ran): Told {
  const told = signal.aborted ? cancelled(signal) : ended(reason);
  return { ...told, text: environment.retained ? `${told.text} The variables are gone.` : told.text };
}

function ended(reason: EnvironmentEnd): Told {
  const [code, text] = LOST[reason];
  return { status: code === 'mode-changed' || code === 'stopped' ? 'cancelled' : 'failed', code, text };
}

function lossBefore({ environment }: Ran): readonly string[] {
  return environment.lost ? [`The variables of earlier programs are gone (${environment.lost.reason}).`] : [];
}

function lostOf(completion: Completion, { environment }: Ran): { lost?: { reason: string } } {
  if (completion.kind === 'lost' && environment.retained) return { lost: { reason: completion.reason } };
  return environment.lost ? { lost: { reason: environment.lost.reason } } : {};
}
