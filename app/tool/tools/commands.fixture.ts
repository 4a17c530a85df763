import { deferred, type Deferred } from '../../base/deferred.ts';
import { whole } from '../../base/text.ts';
import type { Facts } from '../../sandbox/facts.ts';
import type { Closed, Unavailable } from '../../sandbox/provider.ts';
import type { CommandDone, CommandRequest, Commands, Confinement, RunningCommand, StartFailed } from '../ports.ts';

export function factsOf(more: Partial<Facts> = {}): Facts {
  return {
    exitCode: 0,
    signal: null,
    timedOut: false,
    cancelled: false,
    left: 0,
    durationMs: 1,
    output: whole(''),
    ...more,
  };
}

/** Commands without processes: a test says what is printed and how it ends. Closing ends one as cancelled, unless its time was up. */
export class ScriptedCommands implements Commands {
  readonly requests: CommandRequest[] = [];
  closed = 0;
  /** How often a held one was let begin. */
  gone = 0;
  /** Runs when a command was started, before anybody is told. */
  onStart: (request: CommandRequest, end: (done: CommandDone) => void) => void = () => undefined;
  /** Runs when a held one is let begin. */
  onGo: (end: (done: CommandDone) => void) => void = () => undefined;
  /** What the next attempts to end one come to; when there is none left it goes. */
  readonly attempts: Closed[] = [];
  refusal: StartFailed | Unavailable | undefined;

  async start(
    request: CommandRequest,
    _at: Confinement,
    _signal: AbortSignal,
  ): Promise<RunningCommand | StartFailed | Unavailable> {
    this.requests.push(request);
    if (this.refusal) return this.refusal;
    const done: Deferred<CommandDone> = deferred();
    let timedOut = false;
    const onTimeout = () => {
      timedOut = true;
      request.onTimeout?.();
    };
    this.onStart({ ...request, onTimeout }, done.resolve);
    return {
      kind: 'running',
      process: { pid: 1, startTime: '1' },
      enforcement: 'full',
      done: done.promise,
      go: () => {
        this.gone += 1;
        this.onGo(done.resolve);
      },
      close: async () => {
        this.closed += 1;
        const attempt = this.attempts.shift();
        if (attempt) return attempt;
        done.resolve({ facts: factsOf({ exitCode: null, timedOut, cancelled: !timedOut }), hints: [] });
        return { ok: true, exit: { exitCode: null, signal: 'SIGKILL' } };
      },
    };
  }
}
