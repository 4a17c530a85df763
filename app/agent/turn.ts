import { Cancelled, causeOf } from '../base/cancel.ts';
import type { CallId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { LeaseOwner, LeaseRun } from '../lease/lease.ts';
import { StorageError, type Journal } from '../log/journal.ts';
import type { ConversationEvent, Origin, ProposedCall, TurnEndReason } from '../session/events.ts';
import type { Message } from '../session/history.ts';
import type { Effect, ToolEvent } from '../tool/events.ts';
import { Lane } from '../tool/lane.ts';
import type { Outcome, Result } from '../tool/result.ts';
import type { DriverRun, Part } from './driver.ts';

/** A Session as its turns see it. */
export interface TurnSession {
  readonly journal: Journal<ConversationEvent | ToolEvent>;
  /** Lossless, with long strings kept as blobs. */
  storable(value: unknown): Promise<Json>;
  history(): Promise<readonly Message[]>;
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
  /** Where the log left off. */
  readonly resumed: Resumed;
}

export interface Resumed {
  readonly turns: number;
  readonly lastEnd?: TurnEndReason;
  readonly callIds: ReadonlyMap<string, number>;
  /** Accepted messages that no step has seen yet. */
  readonly queued: readonly number[];
}

export type StopBy = 'person' | 'shutdown' | 'parent';

interface OpenTurn {
  readonly turn: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
  stopping?: StopBy;
}

/** The turns of one Session, one at a time: one model request, its calls, until nothing is owed (agent.md, Turn). */
export class Turns {
  readonly #parts: TurnParts;
  readonly #callIds: Map<string, number>;
  #queued: readonly number[];
  #turns: number;
  #lastEnd: TurnEndReason | 'none';
  #open: OpenTurn | undefined;
  #closed = false;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.#turns = parts.resumed.turns;
    this.#lastEnd = parts.resumed.lastEnd ?? 'none';
    this.#callIds = new Map(parts.resumed.callIds);
    this.#queued = parts.resumed.queued;
  }

  get open(): boolean {
    return this.#open !== undefined;
  }

  /** Accepts a message; resolves with its seq, durable. Without an open turn it opens one. */
  async prompt(text: string, origin: Origin): Promise<number> {
    const kept = await this.#parts.session.storable({ text });
    if (this.#closed) throw new Cancelled({ kind: 'shutdown' });
    const { journal } = this.#parts.session;
    // One section: a turn that ends meanwhile either sees this message queued, or has ended before it.
    const seq = journal.section(() => {
      const queued = this.#open !== undefined;
      const event = journal.append({ type: 'user/message', data: { ...(kept as { text: string }), origin, queued } });
      this.#queued = [...this.#queued, event.seq];
      if (!queued) this.#begin(event.seq);
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
      journal.append({ type: 'turn/stopping', data: { turn: open.turn, by } });
      open.controller.abort(new Cancelled(by === 'shutdown' ? { kind: 'shutdown' } : { kind: 'stopped', by }));
    }
    await journal.flush();
  }

  /** The reason of the last turn's end, once no turn is open; `none` when there was none. */
  async idle(): Promise<TurnEndReason | 'none'> {
    while (this.#open) await this.#open.done;
    return this.#lastEnd;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#open) await this.stop('shutdown').catch(this.#parts.onFault);
    await this.idle();
    await this.#parts.driver.close();
  }

  #begin(prompt: number): void {
    this.#turns += 1;
    const turn = this.#turns;
    this.#parts.session.journal.append({ type: 'turn/start', data: { turn, prompt } });
    const controller = new AbortController();
    this.#open = { turn, controller, done: this.#run(turn, controller.signal) };
  }

  async #run(turn: number, signal: AbortSignal): Promise<void> {
    const lease = this.#parts.lease.beginRun();
    let end: { reason: TurnEndReason; message?: string };
    try {
      end = await this.#steps(turn, lease, signal);
    } catch (fault) {
      end = signal.aborted ? { reason: 'aborted' } : { reason: 'error', message: messageOf(fault) };
      if (!signal.aborted) this.#parts.onFault(fault);
    }
    await lease.end().catch(this.#parts.onFault);
    this.#end(turn, end);
  }

  #end(turn: number, end: { reason: TurnEndReason; message?: string }): void {
    const { journal } = this.#parts.session;
    const by = this.#open?.stopping;
    const stopped = by !== undefined || end.reason === 'aborted';
    journal.section(() => {
      const reason = stopped ? 'aborted' : end.reason;
      journal.append({
        type: 'turn/end',
        data: {
          turn,
          reason,
          ...(stopped && { by: by ?? 'person' }),
          ...(!stopped && end.message !== undefined && { message: end.message }),
        },
      });
      this.#lastEnd = reason;
      this.#open = undefined;
      // After a Stop the queue waits for the next prompt; else what came too late for this turn opens the next.
      const next = this.#queued[0];
      if (!stopped && !this.#closed && next !== undefined) this.#begin(next);
    });
    journal.flush().catch(this.#parts.onFault);
  }

  async #steps(
    turn: number,
    lease: LeaseRun,
    signal: AbortSignal,
  ): Promise<{ reason: TurnEndReason; message?: string }> {
    for (let step = 1; ; step += 1) {
      const answer = await this.#request(turn, step, signal);
      signal.throwIfAborted();
      if (answer.end.reason !== 'answered') {
        return { reason: answer.end.reason, ...(answer.end.message !== undefined && { message: answer.end.message }) };
      }
      if (answer.calls.length === 0) return { reason: 'completed' };
      await this.#call({ turn, step }, answer.calls, { lease, signal });
      signal.throwIfAborted();
    }
  }

  /** One model request. Its cause is on disk before it leaves; the whole answer is one event after its chunks. */
  async #request(turn: number, step: number, signal: AbortSignal) {
    const { session, driver } = this.#parts;
    const through = session.journal.section(() => {
      const before = this.#lastSeq();
      session.journal.append({ type: 'step/start', data: { turn, step, through: before } });
      this.#queued = this.#queued.filter((seq) => seq > before);
      return before;
    });
    await session.journal.flush();
    signal.throwIfAborted();
    let text = '';
    const calls: ProposedCall[] = [];
    let end: (Part & { kind: 'end' }) | undefined;
    for await (const part of driver.next({ turn, step, through, history: () => session.history() }, signal)) {
      signal.throwIfAborted();
      if (part.kind === 'text') {
        text += part.text;
        session.journal.append({ type: 'assistant/chunk', ignorable: true, data: { turn, step, text: part.text } });
      } else if (part.kind === 'call') calls.push({ callId: this.#ownId(part.id), tool: part.tool, input: part.input });
      else end = part;
    }
    if (!end) throw new Error('The model ended its answer without saying so');
    if (end.reason === 'answered' || text !== '' || calls.length > 0) {
      const data = await session.storable({ turn, step, text, calls, ...(end.usage && { usage: end.usage }) });
      // Checked by construction: `storable` keeps the shape and only shortens strings.
      session.journal.append({ type: 'assistant/message', data: data as never });
    }
    return { calls, end };
  }

  /** Every call gets exactly one result, in the order of the calls, whatever happens to the turn. */
  async #call(
    at: { turn: number; step: number },
    calls: readonly ProposedCall[],
    { lease, signal }: { lease: LeaseRun; signal: AbortSignal },
  ): Promise<void> {
    const { session, dispatch, effectOf } = this.#parts;
    for (const call of calls) {
      const data = await session.storable({ ...at, ...call });
      session.journal.append({ type: 'tool/call', data: data as never });
    }
    const lane = new Lane();
    await Promise.all(
      calls.map(async (call) => {
        const result = await lane.submit(effectOf(call.tool), () => this.#outcome(call, lease, signal, dispatch));
        const data = await session.storable(result);
        session.journal.append({ type: 'tool/result', data: data as never });
      }),
    );
  }

  async #outcome(
    call: ProposedCall,
    lease: LeaseRun,
    signal: AbortSignal,
    dispatch: TurnParts['dispatch'],
  ): Promise<Result> {
    if (signal.aborted) return { callId: call.callId, tool: call.tool, ...notStarted(signal) };
    return await dispatch(call, lease, signal);
  }

  /** A driver's id that was used before in this Session becomes `<id>~2`, `~3` … (contract.md, Conventions). */
  #ownId(id: string): CallId {
    const uses = (this.#callIds.get(id) ?? 0) + 1;
    this.#callIds.set(id, uses);
    return (uses === 1 ? id : `${id}~${uses}`) as CallId; // The brand says only that it is unique now.
  }

  #lastSeq(): number {
    return this.#parts.session.length - 1;
  }
}

function notStarted(signal: AbortSignal): Outcome {
  const cause = causeOf(signal);
  const code = cause.kind === 'shutdown' ? 'shutdown' : 'stopped';
  return { status: 'cancelled', code, content: 'Not started: the turn was stopped.' };
}

function messageOf(fault: unknown): string {
  if (fault instanceof StorageError) return `The log could not be written: ${fault.message}`;
  return fault instanceof Error ? fault.message : String(fault);
}
