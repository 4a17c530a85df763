import { stat } from 'node:fs/promises';
import type { SessionId } from '../../app/base/id.ts';
import type { Text } from '../../app/base/text.ts';
import { placeOf } from '../../app/sandbox/place.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import type { CommandRequest, Commands, Confinement, RunningCommand, StartFailed } from '../../app/tool/ports.ts';
import type { ConfinedProcess, Confiner } from '../sandbox/confined.ts';
import { findProgram } from '../sandbox/programs.ts';
import { workspaceFault } from '../sandbox/workspace.ts';
import { supervise } from './running.ts';
import { wrap, type Wrapped } from './wrapper.ts';

export interface CommandsOptions {
  readonly confiner: Confiner;
  /** Keeps what is too long to be shown. */
  readonly keep: (sessionId: SessionId, text: string) => Promise<Text>;
  /** PATH on which the shell is found; read at each start. */
  readonly path: string;
}

/** Commands and searches, each in a sandbox of its own. */
export class ConfinedCommands implements Commands {
  readonly #options: CommandsOptions;

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  async start(
    request: CommandRequest,
    at: Confinement,
    signal: AbortSignal,
  ): Promise<RunningCommand | StartFailed | Unavailable> {
    try {
      return await this.#start(request, at, signal);
    } catch (fault) {
      if (!signal.aborted) throw fault;
      return { kind: 'start-failed', message: 'It was cancelled while it was starting' };
    }
  }

  async #start(request: CommandRequest, at: Confinement, signal: AbortSignal) {
    // A workspace that is gone explains a missing folder, and not the other way round.
    const fault = (await workspaceFault(at.policy)) ?? (await this.#folderFault(request.cwd, at, signal));
    if (fault) return fault;
    const plan = await this.#plan(request, at);
    const { argv, channels } = plan;
    const { cwd, stdin, env } = request;
    const input = stdin === undefined ? { ...(env && { env }) } : { stdin: 'pipe' as const, env: { ...INNER, ...env } };
    const started = await this.#options.confiner.launch({ ...at, argv, cwd, channels, ...input }, signal);
    if (started.kind === 'unavailable') return (await this.#folderFault(request.cwd, at, signal)) ?? started;
    // A command need not read it: what cannot be written to it is nobody's fault.
    started.stdin?.end(stdin);
    const begin = () => feed(started, plan);
    // Given up meanwhile, and it could not be ended: whoever asked gets to know of it, and it does nothing.
    if (!request.held && !signal.aborted) begin();
    const { keep } = this.#options;
    return supervise({
      process: started,
      request,
      at,
      keep: (text) => keep(at.sessionId, text),
      wrapped: channels > 0,
      begin: request.held ? begin : () => undefined,
    });
  }

  async #plan({ run, held = false }: CommandRequest, { policy }: Confinement): Promise<Wrapped> {
    if ('argv' in run) return { argv: run.argv, channels: 0, script: undefined };
    const shell = (await findProgram('bash', this.#options.path)) ?? 'sh';
    return wrap(run.shell, { shell, confined: policy.mode !== 'danger-full-access', held });
  }

  /** A working directory that is none is a plain start error of the command, whatever the sandbox would say of it. */
  async #folderFault(
    cwd: string,
    at: Confinement,
    signal: AbortSignal,
  ): Promise<StartFailed | Unavailable | undefined> {
    const place = placeOf(cwd, at.policy);
    const temp = place.kind === 'temp' ? await this.#options.confiner.tempRoot(at.sessionId, at.policy, signal) : '';
    if (typeof temp !== 'string') return cwd === '/tmp' ? undefined : temp;
    const path = place.kind === 'temp' ? temp + cwd.slice('/tmp'.length) : cwd;
    const found = await stat(path).catch(ifUnusable);
    if (found?.isDirectory()) return undefined;
    const message = found ? 'it is not a folder' : 'there is no such folder';
    return { kind: 'start-failed', message: `The working directory ${cwd} cannot be used: ${message}` };
  }
}

/** Without it bash takes a socket on its standard input for a remote login, and runs the `.bashrc` of the user first. */
const INNER = { SHLVL: '1' };

function feed({ channels }: ConfinedProcess, { script }: Wrapped): void {
  if (script !== undefined) channels[1]?.end(script);
}

function ifUnusable(fault: unknown): undefined {
  if (fault instanceof Error && 'code' in fault) return undefined;
  throw fault;
}
