import type { EnvironmentId, SessionId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Deferred } from '../base/deferred.ts';
import { whole } from '../base/text.ts';
import { settled } from '../base/waiting.fixture.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { Unavailable } from '../sandbox/provider.ts';
import type {
  CleanupFailed,
  Completion,
  Environment,
  EnvironmentRequest,
  EnvironmentRow,
  KeyConflict,
  NodeProvider,
  PreparedProgram,
  ProgramBridge,
  Released,
  SessionEnvironments,
} from './nodeProvider.ts';

export type Program = (bridge: ProgramBridge, signal: AbortSignal) => Promise<Completion>;
type Refusal = KeyConflict | CleanupFailed | Unavailable;

const SPOKEN = { kept: true, logs: whole(''), display: [], late: [] };
export const valueOf = (value: Json): Completion => ({ ...SPOKEN, kind: 'value', value });
export const STOPPED: Completion = { ...SPOKEN, kind: 'stopped' };

/** Environments without processes: a program is a function of the test, found by its code. */
export class FakeEnvironments implements SessionEnvironments {
  readonly programs = new Map<string, Program>();
  readonly requests: EnvironmentRequest[] = [];
  readonly live = new Set<FakeEnvironment>();
  trace: string[] = [];
  /** What `settled` comes to, one after the other; undefined when there is none left. */
  readonly failures: (CleanupFailed | undefined)[] = [];
  settling: Deferred<void> | undefined;
  /** Called inside of `acquire`; its refusal comes back. */
  onAcquire: (() => Promise<Refusal | undefined>) | undefined;
  releaseError: string | undefined;
  #made = 0;

  async settled(): Promise<CleanupFailed | undefined> {
    this.trace.push('settled?');
    await this.settling?.promise;
    return this.failures.shift();
  }

  async acquire(request: EnvironmentRequest): Promise<Environment | Refusal> {
    this.requests.push(request);
    this.trace.push(`acquire ${request.policy.mode} ${request.owner === undefined ? 'temporary' : 'retained'}`);
    const refusal = await this.onAcquire?.();
    if (refusal) return refusal;
    const known = [...this.live].find(({ retained }) => retained && request.owner !== undefined);
    if (known) return known;
    this.#made += 1;
    const environment = new FakeEnvironment(this, request, this.#made);
    this.live.add(environment);
    return environment;
  }

  list(): readonly EnvironmentRow[] {
    return [...this.live].map((each) => each.row());
  }

  async reset(): Promise<void> {
    this.trace.push('reset');
    this.live.clear();
  }

  async close(): Promise<void> {
    await this.reset();
  }
}

export class FakeEnvironment implements Environment {
  readonly kind = 'environment';
  readonly id: EnvironmentId;
  readonly process: { readonly pid: number; readonly startTime: string };
  readonly mode: Mode;
  readonly enforcement = 'full';
  readonly retained: boolean;
  readonly #owner: FakeEnvironments;

  constructor(owner: FakeEnvironments, { policy, owner: agent }: EnvironmentRequest, made: number) {
    this.id = `e_${made}` as EnvironmentId;
    this.process = { pid: 1000 + made, startTime: `t${made}` };
    this.mode = policy.mode;
    this.retained = agent !== undefined;
    this.#owner = owner;
  }

  async run({ source }: PreparedProgram, bridge: ProgramBridge, signal: AbortSignal): Promise<Completion> {
    this.#owner.trace.push(`evaluate ${source}`);
    const program = this.#owner.programs.get(source);
    if (!program) throw new Error(`No program ${source}`);
    return await program(bridge, signal);
  }

  async release(): Promise<Released> {
    this.#owner.trace.push(`release ${this.id}`);
    // Long enough for a result that did not wait to be seen before.
    await settled();
    if (this.#owner.releaseError !== undefined)
      return { exitCode: null, signal: null, error: this.#owner.releaseError };
    this.#owner.live.delete(this);
    return { exitCode: 0, signal: null };
  }

  row(): EnvironmentRow {
    const { id, mode, enforcement, retained, process } = this;
    return { id, sessionId: 's_1' as SessionId, ...process, mode, enforcement, retained, idle: true, variables: [] };
  }
}

export function fakeProvider(environments: SessionEnvironments): NodeProvider {
  return {
    prepare: async (code) =>
      code === 'syntax!'
        ? { kind: 'syntax', message: 'Unexpected token', line: 1, column: 7 }
        : { kind: 'program', source: code, wrapped: false },
    attach: () => environments,
    close: async () => undefined,
  };
}
