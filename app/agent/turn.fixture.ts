import { deferred } from '../base/deferred.ts';
import { lossless, type Json } from '../base/json.ts';
import type { LeaseRun } from '../lease/lease.ts';
import { MemoryJournal } from '../log/journal.fixture.ts';
import type { ConversationEvent, ProposedCall } from '../session/events.ts';
import type { Effect, ToolEvent } from '../tool/events.ts';
import type { Result } from '../tool/result.ts';
import type { DriverRun, Part, StepRequest } from './driver.ts';
import type { TurnHooks } from './turnHooks.ts';
import { Turns, type Resumed, type TurnParts } from './turn.ts';

type AnyEvent = ConversationEvent | ToolEvent;
/** One answer of a model: its parts, made when it is asked. */
export type Model = (request: StepRequest, signal: AbortSignal) => AsyncIterable<Part>;

export const END: Part = { kind: 'end', reason: 'answered' };
export const say = (text: string): Part => ({ kind: 'text', text });
export const callOf = (id: string, tool: string, input: Json = {}): Part => ({ kind: 'call', id, tool, input });
export const answers = (...parts: readonly Part[]): Model =>
  async function* answer() {
    yield* parts;
  };

export interface StageOptions {
  readonly resumed?: Partial<Resumed>;
  readonly dispatch?: TurnParts['dispatch'];
  readonly beginRun?: () => LeaseRun;
  readonly hooks?: TurnHooks;
  readonly contextDue?: () => string | undefined;
  /** Hears up to where a history is asked for. */
  readonly history?: (through: number) => void;
}

/** The turns of one Session with a model that a test plays; tools named `write…` write, the others read. */
export function stage(models: readonly Model[], options: StageOptions = {}) {
  const journal = new MemoryJournal<AnyEvent>();
  const requests: StepRequest[] = [];
  const faults: unknown[] = [];
  const seen = { driverClosed: 0, runs: 0, runsEnded: 0 };
  const left = [...models];
  const driver: DriverRun = {
    next(request, signal) {
      requests.push(request);
      const model = left.shift() ?? answers(END);
      return model(request, signal);
    },
    close: async () => void (seen.driverClosed += 1),
  };
  const run = (): LeaseRun => ({
    preparePaths: async () => ({ kind: 'refused', code: 'lease-held', message: 'Not here' }),
    yield: async () => ({ resume: async () => undefined }),
    end: async () => void (seen.runsEnded += 1),
  });
  const session = {
    journal,
    storable: async (value: unknown) => lossless(value),
    history: async (through: number) => (options.history?.(through), []),
    contextDue: options.contextDue ?? (() => undefined),
    get length() {
      return journal.events.length;
    },
  };
  const turns = new Turns({
    session,
    driver,
    lease: { beginRun: options.beginRun ?? (() => ((seen.runs += 1), run())) },
    effectOf: (tool): Effect => (tool.startsWith('write') ? 'write' : 'read'),
    dispatch: options.dispatch ?? (async ({ callId, tool }) => ok({ callId, tool, input: null })),
    onFault: (fault) => void faults.push(fault),
    ...(options.hooks && { hooks: options.hooks }),
    resumed: { turns: 0, callIds: new Map(), queued: [], ...options.resumed },
  });
  const of = <T extends AnyEvent['type']>(type: T) =>
    journal.events.flatMap((event) => (event.type === type ? [event.data as Data<T>] : []));
  return { turns, journal, session, requests, faults, seen, of };
}

type Data<T extends AnyEvent['type']> = Extract<AnyEvent, { readonly type: T }>['data'];

export function ok({ callId, tool }: ProposedCall): Result {
  return { callId, tool, status: 'ok', content: `result of ${callId}` };
}

/** Calls that run until a test ends them. */
export function heldCalls() {
  const running = new Map<string, () => void>();
  const started: string[] = [];
  const dispatch: TurnParts['dispatch'] = async (call, _lease, signal) => {
    const end = deferred<void>();
    started.push(call.callId);
    running.set(call.callId, () => end.resolve());
    const abort = () => end.resolve();
    signal.addEventListener('abort', abort, { once: true });
    await end.promise;
    signal.removeEventListener('abort', abort);
    running.delete(call.callId);
    return signal.aborted
      ? { callId: call.callId, tool: call.tool, status: 'cancelled', code: 'stopped', content: 'Cancelled.' }
      : ok(call);
  };
  return { dispatch, started, running: () => [...running.keys()], end: (id: string) => running.get(id)?.() };
}
