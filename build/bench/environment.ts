import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createIds, type SessionId } from '../../app/base/id.ts';
import type { CleanupEvent } from '../../app/cleanup/cleanup.ts';
import { Cleanups } from '../../app/cleanup/cleanups.ts';
import { Started } from '../../app/cleanup/started.ts';
import type { Journal } from '../../app/log/journal.ts';
import { Log } from '../../app/log/log.ts';
import type { PolicyEvent } from '../../app/policy/events.ts';
import { NO_POLICY } from '../../app/policy/fold.ts';
import type { EnvironmentEvent } from '../../app/ptc/events.ts';
import type {
  Environment,
  EnvironmentRequest,
  ProgramBridge,
  SessionEnvironments,
} from '../../app/ptc/nodeProvider.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { NodeEnvironments } from '../../main/ptc/nodeProvider.ts';
import { Bubblewrap } from '../../main/sandbox/bubblewrap.ts';
import { plainStart, timed, toRow, type Row } from './measure.ts';
import { policyOf } from './sandbox.ts';

/** From nothing to the first result; the Session's Compartment stands already, as it does from its first launch on. */
export function measureColdStart(rounds = 15): Promise<Row> {
  return withBench(async (bench) => {
    const plain: number[] = [];
    const cold: number[] = [];
    await bench.once();
    for (let round = 0; round < rounds; round += 1) {
      plain.push(await plainStart());
      cold.push(await timed(() => bench.once()));
      await bench.environments.reset();
    }
    return toRow({ name: 'kernel cold start to first result', plain, measured: cold, target: 1.6 });
  });
}

/** A program in an Environment that is there. */
export function measureWarmCall(calls = 1000): Promise<Row> {
  return withBench(async (bench) => {
    const environment = await bench.acquire();
    await bench.run(environment, '1');
    const measured: number[] = [];
    const plain: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      if (call % 50 === 0) plain.push(await plainStart());
      measured.push(await timed(() => bench.run(environment, '1 + 1')));
    }
    return toRow({ name: `warm call, median of ${calls}`, plain, measured, target: 0.015 });
  });
}

/** What one more call of a tool that answers at once adds to a program. */
export function measureNestedCall(rounds = 20, calls = 50): Promise<Row> {
  return withBench(async (bench) => {
    const environment = await bench.acquire();
    const program = (count: number) => `for (let i = 0; i < ${count}; i += 1) await tools.echo({ i })`;
    await bench.run(environment, program(1));
    const measured: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      plain.push(await plainStart());
      const none = await timed(() => bench.run(environment, program(0)));
      measured.push(((await timed(() => bench.run(environment, program(calls)))) - none) / calls);
    }
    return toRow({ name: 'a nested call adds', plain, measured, target: 0.01 });
  });
}

/** From the abort of a program in an endless loop to its answer. */
export function measureSoftStop(rounds = 20): Promise<Row> {
  return withBench(async (bench) => {
    const environment = await bench.acquire();
    const measured: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      plain.push(await plainStart());
      measured.push(await bench.stop(environment));
    }
    return toRow({ name: 'soft stop of a busy loop', plain, measured, target: 0.3 });
  });
}

export interface Bench {
  readonly environments: SessionEnvironments;
  /** Whether a spare is there or on its way. */
  hasSpare(): boolean;
  /** With no owner a temporary one. */
  acquire(owner?: string | null): Promise<Environment>;
  run(environment: Environment, code: string): Promise<void>;
  stop(environment: Environment): Promise<number>;
  once(): Promise<void>;
}

export async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-bench-')));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const sandbox = new Bubblewrap({
    home: join(folder, 'home'),
    instance: `bench-${process.pid}`,
    runtime: [dirname(process.execPath), join(import.meta.dirname, '../../main/ptc')],
    variables: process.env,
    userHome: folder,
  });
  let count = 0;
  const ids = createIds(() => String((count += 1)));
  const started = new Started();
  const onFault = (fault: unknown) => console.error(fault);
  const cleanups = new Cleanups({ newId: ids.cleanup, now: Date.now, started, onFault });
  const nodes = new NodeEnvironments({ provider: sandbox, cleanups, started, newId: ids.environment, onFault });
  try {
    const session = { id: 's_bench' as SessionId, journal: journal(), policyState: () => NO_POLICY };
    const environments = nodes.attach(session);
    const parts = { nodes, environments, policy: await policyOf(workspace, join(folder, 'home')) };
    const hasSpare = () => started.list(session.id).some(({ title }) => title.startsWith('spare'));
    return await work({ ...bench(parts), hasSpare });
  } finally {
    await nodes.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface BenchParts {
  readonly nodes: NodeEnvironments;
  readonly environments: SessionEnvironments;
  readonly policy: SandboxPolicy;
}

function bench({ nodes, environments, policy }: BenchParts): Omit<Bench, 'hasSpare'> {
  const never = new AbortController().signal;
  const start = async (environment: Environment, code: string, signal: AbortSignal, bridge = ECHO) => {
    const program = await nodes.prepare(code, never);
    if (program.kind === 'syntax') throw new Error(program.message);
    return environment.run(program, bridge, signal);
  };
  const acquire = async (owner: string | null = 'bench') => {
    const request: EnvironmentRequest = { policy, standing: policy.mode, ...(owner !== null && { owner }) };
    const environment = await environments.acquire(request, never);
    if (environment.kind !== 'environment') throw new Error(JSON.stringify(environment));
    return environment;
  };
  const run = async (environment: Environment, code: string) => {
    const completion = await start(environment, code, never);
    if (!completion.kept) throw new Error(`The program was lost: ${completion.kind}`);
  };
  const stop = async (environment: Environment) => {
    const controller = new AbortController();
    const busy = Promise.withResolvers<void>();
    const bridge: ProgramBridge = { ...ECHO, log: () => busy.resolve() };
    const running = start(environment, 'console.log("busy"); for (;;) {}', controller.signal, bridge);
    await busy.promise;
    return timed(async () => {
      controller.abort();
      const { kind } = await running;
      if (kind !== 'stopped') throw new Error(`The program was not stopped: ${kind}`);
    });
  };
  return { environments, acquire, run, stop, once: async () => run(await acquire(), '1 + 1') };
}

const ECHO: ProgramBridge = {
  tools: ['echo'],
  call: (_tool, value) => Promise.resolve({ ok: true, value }),
  log: () => undefined,
  display: () => undefined,
};

function journal(): Journal<PolicyEvent | EnvironmentEvent | CleanupEvent> {
  const log = new Log<PolicyEvent | EnvironmentEvent | CleanupEvent>({
    now: Date.now,
    onFault: (fault) => console.error(fault),
  });
  return Object.assign(log, { flush: () => Promise.resolve() });
}
