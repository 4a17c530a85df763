import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { Text } from '../../app/base/text.ts';
import type { Facts } from '../../app/sandbox/facts.ts';
import type { Closed, EndPhase, Exit } from '../../app/sandbox/provider.ts';
import type { CommandDone, CommandRequest, Confinement, RunningCommand } from '../../app/tool/ports.ts';
import type { ConfinedProcess } from '../sandbox/confined.ts';
import { closing } from '../sandbox/streams.ts';
import { denialHints } from './denials.ts';
import { Output } from './output.ts';
import { readReport, type Report } from './wrapper.ts';

export interface Supervised {
  readonly process: ConfinedProcess;
  readonly request: CommandRequest;
  readonly at: Confinement;
  readonly keep: (text: string) => Promise<Text>;
  /** Its first channel tells how it ended. */
  readonly wrapped: boolean;
  /** Gives it its command, where that is held back. */
  readonly begin: () => void;
}

/** Follows a started command to the moment when nothing of it is alive, and says what is known of it then. */
export function supervise(supervised: Supervised): RunningCommand {
  const command = new Command(supervised);
  const { identity, enforcement } = supervised.process;
  return {
    kind: 'running',
    process: identity,
    enforcement,
    done: command.done(),
    go: supervised.begin,
    close: (onPhase) => command.close(onPhase),
  };
}

class Command {
  readonly #supervised: Supervised;
  readonly #output: Output;
  readonly #failed = Promise.withResolvers<string>();
  readonly #began = performance.now();
  #isOver = false;
  #timedOut = false;
  #report = '';
  #cancelled = false;

  constructor(supervised: Supervised) {
    this.#supervised = supervised;
    const { request, at } = supervised;
    const limit = request.keeps === 'tail' ? 0 : at.policy.settings.limits.outputBytes;
    this.#output = new Output({ limit, onOutput: request.onOutput });
  }

  async close(onPhase?: (phase: EndPhase) => void): Promise<Closed> {
    if (!this.#isOver && !this.#timedOut) this.#cancelled = true;
    const closed = await this.#supervised.process.close(onPhase);
    if (!closed.ok) this.#failed.resolve(closed.error);
    return closed;
  }

  async done(): Promise<CommandDone> {
    const { process, request, wrapped } = this.#supervised;
    const reading = Promise.all([
      this.#output.read('stdout', process.stdout),
      this.#output.read('stderr', process.stderr),
      wrapped ? this.#readReport(process.channels[0]) : undefined,
    ]);
    const { timeoutMs } = request;
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#timeOut(), timeoutMs);
    const exit = await Promise.race([process.exited, this.#failed.promise]);
    clearTimeout(timer);
    if (typeof exit === 'string') return this.#stuck(exit);
    this.#isOver = true;
    const durationMs = Math.round(performance.now() - this.#began);
    // What the command left behind is ended with it: it may hold the pipes open for ever.
    const closed = await process.close();
    if (!closed.ok) return this.#stuck(closed.error, exit);
    await reading;
    const facts = { ...this.#facts(exit, readReport(this.#report), durationMs), ...this.#limit(), ...this.#revealed() };
    return { facts: { ...facts, output: await this.#output.text(this.#supervised.keep) }, hints: this.#hints(facts) };
  }

  async #readReport(stream: Readable | undefined): Promise<void> {
    if (!stream) return;
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => (this.#report = (this.#report + chunk).slice(-65536)));
    await closing(stream);
  }

  #timeOut(): void {
    this.#timedOut = true;
    if (this.#supervised.request.onTimeout) this.#supervised.request.onTimeout();
    else void this.close();
  }

  #facts(exit: Exit, report: Report | undefined, durationMs: number): Omit<Facts, 'output'> {
    const ended = this.#timedOut || this.#cancelled;
    return {
      ...endOf(exit, report),
      timedOut: this.#timedOut,
      cancelled: this.#cancelled,
      left: ended ? 0 : this.#left(report),
      durationMs,
    };
  }

  /** A flood of output ends nothing: it is held back and counted. */
  #limit(): Pick<Facts, 'limit'> {
    const isCut = this.#output.isCut && this.#supervised.request.keeps !== 'tail';
    const limit = this.#supervised.process.exceeded ?? (isCut ? 'output' : undefined);
    return limit === undefined ? {} : { limit };
  }

  #revealed(): Pick<Facts, 'revealed'> {
    const { revealed } = this.#supervised.process;
    return revealed === undefined ? {} : { revealed };
  }

  /** A sandbox is counted from inside, because it ends with its leader; without one the process table is asked. */
  #left(report: Report | undefined): number {
    const { enforcement, left } = this.#supervised.process;
    return enforcement === 'none' ? left : (report?.left ?? 0);
  }

  /** A signal death or exit 0 is never a denial. */
  #hints({ exitCode, signal }: Pick<Facts, 'exitCode' | 'signal'>) {
    const { request, at } = this.#supervised;
    return signal === null && exitCode !== 0 ? denialHints(this.#output.tail, request.cwd, at.policy) : [];
  }

  /** What is known by then: the channel may be held open by what is left. */
  async #stuck(closeError: string, exit: Exit = UNKNOWN): Promise<CommandDone> {
    const durationMs = Math.round(performance.now() - this.#began);
    const facts = this.#facts(exit, readReport(this.#report), durationMs);
    return { facts: { ...facts, output: await this.#output.text(this.#supervised.keep) }, hints: [], closeError };
  }
}

const UNKNOWN: Exit = { exitCode: null, signal: null };

/** The wrapper knows better than the launcher, which speaks of both in the same number. */
function endOf(exit: Exit, report: Report | undefined): Pick<Facts, 'exitCode' | 'signal'> {
  if (report === undefined) return exit;
  return { exitCode: report.code, signal: report.bySignal ? nameOf(report.code - 128) : null };
}

function nameOf(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;
}
