import { messageOf } from '../../app/base/fault.ts';
import type { Json } from '../../app/base/json.ts';
import { utf8Bytes } from '../../app/base/text.ts';
import type { EnvironmentEnd } from '../../app/ptc/events.ts';
import type { Completion, NestedReply, ProgramBridge } from '../../app/ptc/nodeProvider.ts';
import type { Exit } from '../../app/sandbox/provider.ts';
import type { OutputStream } from '../../app/tool/tool.ts';
import type { Budgets } from './budgets.ts';
import { BusyClock } from './busyClock.ts';
import type { CallFrame, DoneFrame, HostFrame } from './frames.ts';
import { Tail } from './tail.ts';
import type { Timers } from './timers.ts';

export interface ProgramRunParts {
  readonly cell: number;
  readonly token: string;
  readonly bridge: ProgramBridge;
  readonly budgets: Budgets;
  readonly timers: Timers;
  readonly send: (frame: HostFrame) => void;
  /** A budget is used up; the run goes on until whoever is told ends it. */
  readonly exceeded: (reason: 'timeout' | 'output-limit') => void;
}

/** Displayed values that are kept. */
const DISPLAY_COUNT = 100;

/** One program from its start to its end: what it says, calls and uses. After its end nothing of it counts. */
export class ProgramRun {
  readonly cell: number;
  readonly ended: Promise<DoneFrame | ProgramLost>;
  readonly #parts: ProgramRunParts;
  readonly #end = Promise.withResolvers<DoneFrame | ProgramLost>();
  readonly #clock: BusyClock;
  readonly #cancelWall: () => void;
  readonly #logs = new Tail();
  readonly #display: Json[] = [];
  #output = 0;
  #lastCall = 0;
  #over = false;

  constructor(parts: ProgramRunParts) {
    const { timers, budgets, send, exceeded } = parts;
    this.cell = parts.cell;
    this.ended = this.#end.promise;
    this.#parts = parts;
    this.#clock = new BusyClock({
      timers,
      limitMs: budgets.busyMs,
      ping: () => send({ t: 'ping', n: parts.cell }),
      expired: () => exceeded('timeout'),
    });
    this.#cancelWall = timers.after(budgets.wallMs, () => exceeded('timeout'));
  }

  log(stream: OutputStream, text: string): void {
    if (this.#over) return;
    this.#logs.append(text);
    this.#parts.bridge.log(stream, text);
    this.#count(utf8Bytes(text));
  }

  display(value: Json): void {
    if (this.#over) return;
    this.#count(utf8Bytes(JSON.stringify(value)));
    if (this.#display.length >= DISPLAY_COUNT) return;
    this.#display.push(value);
    this.#parts.bridge.display(value);
  }

  pong(active: number): void {
    this.#clock.answered(active);
  }

  /** A reason when the frame cannot have come from the kernel. */
  call(frame: CallFrame): string | undefined {
    if (frame.token !== this.#parts.token || frame.cell !== this.cell) return FORGED;
    if (frame.call <= this.#lastCall) return 'it used the number of a call twice';
    this.#lastCall = frame.call;
    void this.#answer(frame);
    return undefined;
  }

  done(frame: DoneFrame): string | undefined {
    if (frame.token !== this.#parts.token || frame.cell !== this.cell) return FORGED;
    this.#finish(frame);
    return undefined;
  }

  lose(lost: ProgramLost): void {
    this.#finish(lost);
  }

  /** From now on nothing of the program counts; `ended` is still to come. */
  silence(): void {
    this.#over = true;
    this.#clock.stop();
    this.#cancelWall();
  }

  spoken(): Pick<Completion, 'logs' | 'display'> {
    return { logs: this.#logs.text(), display: this.#display };
  }

  async #answer({ call, tool, value }: CallFrame): Promise<void> {
    this.#clock.callBegan();
    const reply = await this.#ask(tool, value);
    this.#clock.callEnded();
    if (this.#over) return;
    if (!reply.ok) {
      const { message, code } = reply;
      return this.#parts.send({ t: 'reply', call, ok: false, error: { tool: reply.tool, code, message } });
    }
    this.#parts.send({ t: 'reply', call, ok: true, ...(reply.value !== undefined && { value: reply.value }) });
  }

  async #ask(tool: string, input: Json): Promise<NestedReply> {
    const { bridge } = this.#parts;
    if (this.#over) return { ok: false, tool, code: 'stopped', message: 'The program has ended' };
    // A tool that was not offered is refused here: the name comes from a hostile peer.
    if (!bridge.tools.includes(tool))
      return { ok: false, tool, code: 'unknown-tool', message: `There is no tool ${tool}` };
    try {
      return await bridge.call(tool, input);
    } catch (fault) {
      const message = messageOf(fault);
      return { ok: false, tool, code: 'unavailable', message };
    }
  }

  #count(bytes: number): void {
    const before = this.#output;
    this.#output += bytes;
    const { outputBytes } = this.#parts.budgets;
    if (before <= outputBytes && this.#output > outputBytes) this.#parts.exceeded('output-limit');
  }

  #finish(end: DoneFrame | ProgramLost): void {
    this.silence();
    this.#end.resolve(end);
  }
}

export interface ProgramLost extends Exit {
  readonly t: 'lost';
  readonly reason: EnvironmentEnd;
}

const FORGED = 'it sent a frame that the program forged';
