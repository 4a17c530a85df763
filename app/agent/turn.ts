import { Cancelled } from '../base/cancel.ts';
import { messageOf } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { LeaseOwner, LeaseRun } from '../lease/lease.ts';
import { StorageError, type Journal } from '../log/journal.ts';
import type { ConversationEvent, Origin, ProposedCall, TurnEndReason } from '../session/events.ts';
import type { Message } from '../session/history.ts';
import type { Effect, ToolEvent } from '../tool/events.ts';
import type { Result } from '../tool/result.ts';
import { readAnswer, type Answer } from './answer.ts';
import { runCalls } from './callBatch.ts';
import { CallIds } from './callIds.ts';
import type { DriverRun } from './driver.ts';
import { TurnGate, type TurnHooks } from './turnHooks.ts';

/** A Session as its turns see it. */
export interface TurnSession {
  readonly journal: Journal<ConversationEvent | ToolEvent>;
  /** Lossless, with long strings kept as blobs. */
  storable(value: unknown): Promise<Json>;
  /** The model history of the events up to and including `through`. */
  history(through: number): Promise<readonly Message[]>;
  /** The context message that the log lacks for a request made now (policy.md, What the model sees). */
  contextDue(): string | undefined;
  /** Events in the log, committed. */
  readonly length: number;
}

export interface TurnParts {
  readonly session: TurnSession;
  readonly driver: DriverRun;
  readonly lease: LeaseOwner;
  /** The effect a call declares; unknown tools count as reading: they do nothing. */
  readonly effectOf: (tool: string) => Effect;
  readonly dispatch: (call: ProposedCall, lease: LeaseRun, signal: AbortSignal) => Promise<Result>;
  readonly onFault: (fault: unknown) => void;
  /** None unless said otherwise. */
  readonly hooks?: TurnHooks;
  /** Where the log left off. */
  readonly resumed: Resumed;
}

export interface Resumed {
  readonly turns: number;
  readonly lastEnd?: TurnEndReason;
  readonly callIds: ReadonlyMap<string, number>;
  /** Accepted messages that no step has seen yet, and that no hook has refused. */
  readonly queued: readonly number[];
}

export type StopBy = 'person' | 'shutdown' | 'parent';

interface OpenTurn {
  readonly turn: number;
  readonly prompt: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
  stopping?: StopBy;
  /** The first message after a Stop: it opens the next turn as soon as this one has ended. */
  afterStop?: number;
}

type BegunTurn = Pick<OpenTurn, 'turn' | 'prompt'>;

interface TurnEnd {
  readonly reason: TurnEndReason;
  readonly message?: string;
}

/** The turns of one Session, one at a time: one model request, its calls, until nothing is owed (agent.md, Turn). */
export class Turns {
  readonly #parts: TurnParts;
  readonly #callIds: CallIds;
  readonly #gate: TurnGate;
  #queued: readonly number[];
  #turns: number;
  #lastEnd: TurnEndReason | 'none';
  #open: OpenTurn | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.#turns = parts.resumed.turns;
    this.#lastEnd = parts.resumed.lastEnd ?? 'none';
    this.#callIds = new CallIds(parts.resumed.callIds);
    this.#queued = parts.resumed.queued;
    this.#gate = new TurnGate(parts.hooks);
  }

  get open(): boolean {
    return this.#open !== undefined;
  }

  /** Accepts a message; resolves with its seq, durable. Without an open turn it opens one. */
  async prompt(text: string, origin: Origin): Promise<number> {
    const kept = await this.#parts.session.storable({ text });
    if (this.#closing) throw new Cancelled({ kind: 'shutdown' });
    const { journal } = this.#parts.session;
    // One section: a turn that ends meanwhile either sees this message queued, or has ended before it.
    const seq = journal.section(() => {
      const open = this.#open;
      const data = { ...(kept as { text: string }), origin, queued: open !== undefined };
      const event = journal.append({ type: 'user/message', data });
      this.#queued = [...this.#queued, event.seq];
      this.#gate.accepted(event.seq, text);
      if (!open) this.#begin(event.seq);
      else if (open.stopping !== undefined) open.afterStop ??= event.seq;
      return event.seq;
    });
    await journal.flush();
    return seq;
  }

  /** Asks the open turn to end. Without one, nothing happens and nothing is recorded. Resolves when that is durable. */
  async stop(by: StopBy): Promise<void> {
    const { journal } = this.#parts.session;
    const open = this.#open;
    if (open && open.stopping === undefined) {
      open.stopping = by;
      try {
        journal.append({ type: 'turn/stopping', data: { turn: open.turn, by } });
      } finally {
        // It stops also when the log takes no more.
        open.controller.abort(new Cancelled(by === 'shutdown' ? { kind: 'shutdown' } : { kind: 'stopped', by }));
      }
    }
    await journal.flush();
  }

  /** The reason of the last turn's end, once no turn is open; `none` when there was none. */
  async idle(): Promise<TurnEndReason | 'none'> {
    while (this.#open) await this.#open.done;
    return this.#lastEnd;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#open) await this.stop('shutdown').catch(this.#parts.onFault);
    await this.idle();
    await this.#parts.driver.close();
  }

  #begin(prompt: number): void {
    const turn = this.#turns + 1;
    this.#parts.session.journal.append({ type: 'turn/start', data: { turn, prompt } });
    this.#turns = turn;
    const controller = new AbortController();
    this.#open = { turn, prompt, controller, done: this.#run({ turn, prompt }, controller.signal) };
  }

  /** Never rejects: whatever happens, the turn ends. */
  async #run(begun: BegunTurn, signal: AbortSignal): Promise<void> {
    const { onFault } = this.#parts;
    let lease: LeaseRun | undefined;
    let end: TurnEnd;
    try {
      lease = this.#parts.lease.beginRun();
      end = await this.#steps(begun, lease, signal);
    } catch (fault) {
      end = { reason: 'error', message: toldOf(fault) };
      if (!signal.aborted) onFault(fault);
    }
    await lease?.end().catch(onFault);
    try {
      this.#end(end);
    } catch (fault) {
      // The log takes no more events; the turn is over all the same.
      this.#open = undefined;
      onFault(fault);
    }
    this.#parts.session.journal.flush().catch(onFault);
  }

  #end(end: TurnEnd): void {
    const open = this.#open;
    if (!open) return;
    const { turn, stopping: by } = open;
    const { journal } = this.#parts.session;
    journal.section(() => {
      const data = by === undefined ? { turn, ...end } : { turn, reason: 'aborted' as const, by };
      this.#lastEnd = data.reason;
      journal.append({ type: 'turn/end', data });
      this.#open = undefined;
      const next = this.#next(open);
      if (next !== undefined) this.#begin(next);
    });
  }

  /** After a Stop the queue waits for the next prompt; else what came too late for this turn opens the next. */
  #next({ prompt, stopping, afterStop }: OpenTurn): number | undefined {
    if (this.#closing) return undefined;
    return stopping === undefined ? this.#queued.find((seq) => seq > prompt) : afterStop;
  }

  async #steps({ turn, prompt }: BegunTurn, lease: LeaseRun, signal: AbortSignal): Promise<TurnEnd> {
    if (this.#parts.hooks) await this.#gate.begin(turn, signal);
    for (let step = 1; ; step += 1) {
      // Between the last look at the queue and the request there is no await: what is sent has been judged.
      for (let seq = this.#unjudged(); seq !== undefined; seq = this.#unjudged()) {
        const refusal = await this.#judge(seq, signal);
        if (refusal !== undefined && seq === prompt) return { reason: 'blocked', message: refusal };
      }
      const { end, calls } = await this.#request({ turn, step }, signal);
      if (end.reason !== 'answered') {
        return { reason: end.reason, ...(end.message !== undefined && { message: end.message }) };
      }
      if (calls.length === 0) {
        if (await this.#gate.goesOn(signal)) continue;
        return { reason: 'completed' };
      }
      // Also when it is being stopped by now: the calls are in the log, and each of them is owed its result.
      await runCalls(this.#parts, calls, lease, signal);
      signal.throwIfAborted();
    }
  }

  #unjudged(): number | undefined {
    return this.#gate.unjudged(this.#queued);
  }

  /** A message that a hook refuses reaches no model; the log says who refused it and why. */
  async #judge(seq: number, signal: AbortSignal): Promise<string | undefined> {
    const refusal = await this.#gate.judge(seq, signal);
    if (refusal === undefined) return undefined;
    this.#queued = this.#queued.filter((other) => other !== seq);
    return `A hook refused the prompt: ${refusal}`;
  }

  /** One model request. Its cause is on disk before it leaves. */
  async #request(at: { turn: number; step: number }, signal: AbortSignal): Promise<Answer> {
    const { session, driver } = this.#parts;
    const through = this.#beginStep(at);
    await session.journal.flush();
    signal.throwIfAborted();
    const request = { ...at, through, history: () => session.history(through) };
    const listeners = {
      text: (text: string) =>
        void session.journal.append({ type: 'assistant/chunk', ignorable: true, data: { ...at, text } }),
      ownId: (id: string) => this.#callIds.own(id),
    };
    const answer = await readAnswer(driver.next(request, signal), listeners, signal);
    await this.#record(at, answer);
    return answer;
  }

  /** What was accepted until now is what this request sees. */
  #beginStep(at: { turn: number; step: number }): number {
    const { session } = this.#parts;
    return session.journal.section(() => {
      const text = session.contextDue();
      if (text !== undefined) session.journal.append({ type: 'context/policy', data: { text } });
      const through = session.length - 1;
      session.journal.append({ type: 'step/start', data: { ...at, through } });
      this.#queued = this.#queued.filter((seq) => seq > through);
      return through;
    });
  }

  /** The whole answer is one event after its chunks, with its calls right behind: none is asked for that gets no result. */
  async #record(at: { turn: number; step: number }, { text, calls, end }: Answer): Promise<void> {
    if (end.reason !== 'answered' && text === '') return;
    const { session } = this.#parts;
    const message = await session.storable({ ...at, text, calls, ...(end.usage && { usage: end.usage }) });
    const proposed: Json[] = [];
    for (const call of calls) proposed.push(await session.storable({ ...at, ...call }));
    session.journal.section(() => {
      // Checked by construction: `storable` keeps the shape and only shortens strings.
      session.journal.append({ type: 'assistant/message', data: message as never });
      for (const data of proposed) session.journal.append({ type: 'tool/call', data: data as never });
    });
  }
}

function toldOf(fault: unknown): string {
  return fault instanceof StorageError ? `The log could not be written: ${fault.message}` : messageOf(fault);
}
