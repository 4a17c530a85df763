import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createIds, type SessionId } from '../../app/base/id.ts';
import type { Json } from '../../app/base/json.ts';
import type { CleanupEvent } from '../../app/cleanup/cleanup.ts';
import { Cleanups } from '../../app/cleanup/cleanups.ts';
import { Started } from '../../app/cleanup/started.ts';
import { MemoryJournal } from '../../app/log/journal.fixture.ts';
import type { PolicyEvent } from '../../app/policy/events.ts';
import { effective, foldPolicy, NO_POLICY, type PolicyState } from '../../app/policy/fold.ts';
import type { EnvironmentEvent } from '../../app/ptc/events.ts';
import type {
  Completion,
  Environment,
  EnvironmentRequest,
  EnvironmentSession,
  NestedReply,
  ProgramBridge,
} from '../../app/ptc/nodeProvider.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import { ROOMY } from '../../app/sandbox/policy.fixture.ts';
import type { Limits, SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { ToolEvent } from '../../app/tool/events.ts';
import { Bubblewrap } from '../sandbox/bubblewrap.ts';
import type { Confiner } from '../sandbox/confined.ts';
import type { Budgets } from './budgets.ts';
import { NodeEnvironments, type NodeEnvironmentsOptions } from './nodeProvider.ts';
import type { SessionNodeEnvironments } from './sessionEnvironments.ts';

type Options = Partial<Omit<NodeEnvironmentsOptions, 'provider' | 'budgets'>> & {
  readonly budgets?: Partial<Budgets>;
  /** Stands between the Node provider and the real sandbox. */
  readonly around?: (real: Confiner) => Pick<Confiner, 'launch'>;
};

/** The real sandbox and the real Node provider in a folder of their own; `close` leaves nothing of it. */
export class World {
  readonly folder: string;
  readonly cleanups: Cleanups;
  readonly started = new Started();
  /** What is in force; a test may change it. */
  budgets: Partial<Budgets>;
  readonly nodes: NodeEnvironments;
  readonly #sandbox: Bubblewrap;

  static async open(options: Options = {}): Promise<World> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-ptc-')));
    return new World(folder, options);
  }

  private constructor(folder: string, { around, budgets = {}, ...options }: Options) {
    this.folder = folder;
    this.budgets = budgets;
    let count = 0;
    const ids = createIds(() => `${process.pid}-${(count += 1)}`);
    this.cleanups = new Cleanups({ newId: ids.cleanup, now: Date.now, started: this.started, onFault: rethrow });
    this.#sandbox = new Bubblewrap({
      home: join(folder, 'home'),
      instance: `ptc-${process.pid}`,
      runtime: [dirname(process.execPath), import.meta.dirname],
      variables: process.env,
      userHome: join(folder, 'user'),
    });
    this.nodes = new NodeEnvironments({
      provider: around?.(this.#sandbox) ?? this.#sandbox,
      cleanups: this.cleanups,
      started: this.started,
      newId: ids.environment,
      onFault: rethrow,
      budgets: () => this.budgets,
      ...options,
    });
  }

  async session(name = 's_one'): Promise<TestSession> {
    const workspace = join(this.folder, name);
    await mkdir(workspace, { recursive: true });
    return new TestSession(this, name as SessionId, workspace);
  }

  async close(): Promise<void> {
    await this.nodes.close();
    await this.#sandbox.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

type Events = PolicyEvent | EnvironmentEvent | CleanupEvent | ToolEvent;

export interface RunOptions {
  /** Null: a temporary Environment. */
  readonly owner?: string | null;
  readonly mode?: Mode;
  readonly bridge?: Partial<ProgramBridge>;
  readonly signal?: AbortSignal;
}

export class TestSession implements EnvironmentSession {
  readonly id: SessionId;
  readonly journal = new MemoryJournal<Events>();
  readonly workspace: string;
  readonly environments: SessionNodeEnvironments;
  heapBytes = ROOMY.limits.heapBytes;
  limits: Partial<Limits> = {};
  hide: readonly string[] = [];
  readonly #world: World;
  #policy: PolicyState = NO_POLICY;

  constructor(world: World, id: SessionId, workspace: string) {
    this.#world = world;
    this.id = id;
    this.workspace = workspace;
    this.journal.observe((event) => (this.#policy = foldPolicy(this.#policy, event)));
    this.environments = world.nodes.attach(this);
  }

  policyState(): PolicyState {
    return this.#policy;
  }

  get mode(): Mode {
    return effective(this.#policy).mode;
  }

  setMode(mode: Mode): void {
    this.journal.append({ type: 'sandbox/mode', data: { mode } });
  }

  async policy(mode: Mode = this.mode): Promise<SandboxPolicy> {
    const { dev, ino } = await stat(this.workspace, { bigint: true });
    const limits = { ...ROOMY.limits, heapBytes: this.heapBytes, ...this.limits };
    const settings = { ...ROOMY, hide: this.hide, limits };
    return { mode, workspace: { path: this.workspace, device: `${dev}`, inode: `${ino}` }, settings };
  }

  async request({ owner = 'agent', mode }: RunOptions = {}): Promise<EnvironmentRequest> {
    return { policy: await this.policy(mode), standing: this.mode, ...(owner !== null && { owner }) };
  }

  async acquire(options: RunOptions = {}): Promise<Environment> {
    const environment = await this.environments.acquire(await this.request(options), options.signal ?? NEVER);
    if (environment.kind !== 'environment') throw new Error(JSON.stringify(environment));
    return environment;
  }

  /** What a program call does at this port: wait for cleanup, acquire, run, release when temporary. */
  async run(code: string, options: RunOptions = {}): Promise<Completion> {
    const environment = await this.acquire({ ...options, signal: NEVER });
    const completion = await this.runIn(environment, code, options);
    if (!environment.retained) await environment.release();
    return completion;
  }

  async runIn(environment: Environment, code: string, options: RunOptions = {}): Promise<Completion> {
    const program = await this.#world.nodes.prepare(code, NEVER);
    if (program.kind === 'syntax') throw new Error(`${program.line}:${program.column} ${program.message}`);
    return environment.run(program, { ...SILENT, ...options.bridge }, options.signal ?? NEVER);
  }

  /** The value of a program that must have one. */
  async value(code: string, options: RunOptions = {}): Promise<Json> {
    const completion = await this.run(code, options);
    if (completion.kind !== 'value') throw new Error(JSON.stringify(completion));
    return completion.value;
  }
}

export const NEVER: AbortSignal = new AbortController().signal;

const SILENT: ProgramBridge = {
  tools: ['echo', 'hang', 'fail'],
  call: (tool, input) => answer(tool, input),
  log: () => undefined,
  display: () => undefined,
};

/** `echo` answers with its input, `fail` refuses, `hang` never answers. */
function answer(tool: string, input: Json): Promise<NestedReply> {
  if (tool === 'echo') return Promise.resolve({ ok: true, value: input });
  if (tool === 'fail') return Promise.resolve({ ok: false, tool, code: 'denied', message: 'no' });
  return new Promise(() => undefined);
}

function rethrow(fault: unknown): never {
  throw fault;
}
