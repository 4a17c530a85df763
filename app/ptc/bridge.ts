import { Cancelled } from '../base/cancel.ts';
import type { CallId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import { cut } from '../tool/cut.ts';
import type { Effect } from '../tool/events.ts';
import { Lane } from '../tool/lane.ts';
import type { Result } from '../tool/result.ts';
import type { OutputStream } from '../tool/tool.ts';
import type { NestedReply, ProgramBridge } from './nodeProvider.ts';

/** Nested calls that may wait at once: a program that never awaits must not fill our memory. */
export const MAX_PENDING = 1_000;

export interface NestedCall {
  readonly callId: CallId;
  readonly tool: string;
  readonly input: Json;
}

export interface BridgeParts {
  readonly callId: CallId;
  readonly tools: readonly string[];
  readonly effectOf: (tool: string) => Effect;
  /** From step 1 of dispatch, like any other call; appends its own start and result. */
  readonly dispatch: (call: NestedCall, signal: AbortSignal) => Promise<Result>;
  readonly output: (stream: OutputStream, text: string) => void;
}

/** What one program may call. When the program ends, for whatever reason, `end` leaves no nested call behind. */
export class Bridge implements ProgramBridge {
  readonly tools: readonly string[];
  readonly #parts: BridgeParts;
  readonly #lane = new Lane();
  readonly #controller = new AbortController();
  readonly #pending = new Set<Promise<unknown>>();
  #submitted = 0;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
    this.tools = parts.tools;
  }

  async call(tool: string, input: Json): Promise<NestedReply> {
    if (this.#controller.signal.aborted) return endedReply(tool);
    // The name comes from a hostile peer: what programs may not call, such as `run_code`, is unknown here.
    if (!this.tools.includes(tool)) return unknownReply(tool);
    if (this.#pending.size >= MAX_PENDING) {
      return { ok: false, tool, code: 'unavailable', message: `More than ${MAX_PENDING} calls wait already` };
    }
    this.#submitted += 1;
    const callId = `${this.#parts.callId}:${this.#submitted}` as CallId; // Nested ids are made here (contract.md).
    const reply = this.#lane.submit(this.#parts.effectOf(tool), () => this.#run({ callId, tool, input }));
    this.#pending.add(reply);
    try {
      return await reply;
    } finally {
      this.#pending.delete(reply);
    }
  }

  log(stream: OutputStream, text: string): void {
    this.#parts.output(stream, text);
  }

  display(): void {
    // Shown with the result: the Environment collects what was displayed (Completion.display).
  }

  /** Abandons what waits, cancels what runs, and resolves when all of it has its result: no write after the program. */
  async end(reason: Cancelled = new Cancelled({ kind: 'program-ended' })): Promise<void> {
    this.#controller.abort(reason);
    await Promise.allSettled(this.#pending);
  }

  async #run(call: NestedCall): Promise<NestedReply> {
    if (this.#controller.signal.aborted) return endedReply(call.tool);
    const result = await this.#parts.dispatch(call, this.#controller.signal);
    if (result.status === 'ok') return { ok: true, value: result.value };
    return { ok: false, tool: call.tool, code: result.code ?? 'unavailable', message: result.content };
  }
}

function endedReply(tool: string): NestedReply {
  return { ok: false, tool, code: 'stopped', message: 'The program that made this call has ended' };
}

function unknownReply(tool: string): NestedReply {
  return { ok: false, tool, code: 'unknown-tool', message: `Programs have no tool called ${cut(tool, 80)}` };
}
