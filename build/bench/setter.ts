import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createIds, type SessionId } from '../../app/base/id.ts';
import { Cleanups } from '../../app/cleanup/cleanups.ts';
import { Started } from '../../app/cleanup/started.ts';
import { Presets } from '../../app/policy/presets.ts';
import { DEFAULT_PRESETS } from '../../app/policy/presetTable.ts';
import { LOG_VERSION } from '../../app/session/header.ts';
import { Session } from '../../app/session/session.ts';
import { loadLocks } from '../../main/native.ts';
import { NodeEnvironments } from '../../main/ptc/nodeProvider.ts';
import { after } from '../../main/base/after.ts';
import { Bubblewrap } from '../../main/sandbox/bubblewrap.ts';
import type { ConfinedProcess, Confiner } from '../../main/sandbox/confined.ts';
import { JsonlStore } from '../../main/session/jsonlStore.ts';
import { quantile, type Row } from './measure.ts';
import { policyOf } from './sandbox.ts';

const ENVIRONMENTS = 50;
const ROUNDS = 20;
const TARGET_MS = 1;
const never = new AbortController().signal;

/**
 * The setter of a preset, while Environments live whose cleanup hangs: each in a Session of its own, switched to and fro,
 * the first switch being the one that ends its Environment; then all in one Session, ended by one switch.
 */
export async function measureSetter(): Promise<readonly Row[]> {
  const each = await switchEach();
  const one = await withHeld(async (held) => {
    const session = await held.session(0);
    const owners = Array.from({ length: ENVIRONMENTS }, (_, index) => `owner-${index}`);
    await held.acquire(session, owners);
    return set(session, 'read-only');
  });
  const name = `permission setter, ${ENVIRONMENTS} live Environments whose cleanup hangs`;
  return [
    { name: `${name}, p99`, unit: 'ms', measured: quantile(each, 0.99), target: TARGET_MS },
    { name: 'the same, one switch that ends all 50 of one Session', unit: 'ms', measured: one },
  ];
}

function switchEach(): Promise<readonly number[]> {
  return withHeld(async (held) => {
    const sessions: Session[] = [];
    for (let index = 0; index < ENVIRONMENTS; index += 1) {
      const session = await held.session(index);
      await held.acquire(session, ['one']);
      sessions.push(session);
    }
    const rounds = Array.from({ length: ROUNDS }, (_, round) => (round % 2 === 0 ? 'read-only' : 'workspace-write'));
    return rounds.flatMap((preset) => sessions.map((session) => set(session, preset)));
  });
}

const presets = new Presets(() => DEFAULT_PRESETS);

function set(session: Session, preset: string): number {
  const start = performance.now();
  const changed = presets.set(session, preset);
  const took = performance.now() - start;
  if (!('seq' in changed)) throw new Error('The setter changed nothing');
  return took;
}

interface Held {
  session(index: number): Promise<Session>;
  acquire(session: Session, owners: readonly string[]): Promise<void>;
}

async function withHeld<T>(work: (held: Held) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const gate = Promise.withResolvers<void>();
  const ids = createIds(() => Math.random().toString(36).slice(2));
  const started = new Started();
  const cleanups = new Cleanups({ newId: ids.cleanup, now: Date.now, started, onFault: fail });
  const runtime = [dirname(process.execPath), join(import.meta.dirname, '../../main/ptc')];
  const sandbox = new Bubblewrap({
    home: join(folder, 'home'),
    instance: `bench-${process.pid}`,
    runtime,
    variables: process.env,
    userHome: homedir(),
  });
  const nodes = new NodeEnvironments({
    provider: hanging(sandbox, gate.promise),
    cleanups,
    started,
    newId: ids.environment,
    onFault: fail,
  });
  const holder = { instance: 'bench', pid: process.pid, startTime: '', since: Date.now() };
  const store = new JsonlStore({ folder: join(folder, 'sessions'), locks: loadLocks(), holder, now: Date.now });
  const sessions: Session[] = [];
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const held: Held = {
    session: async (index) => {
      const session = await openSession(store, `s_${index}` as SessionId);
      sessions.push(session);
      return session;
    },
    acquire: async (session, owners) => {
      const environments = nodes.attach(session);
      const policy = await policyOf(workspace, folder);
      for (const owner of owners) {
        const acquired = await environments.acquire({ policy, standing: policy.mode, owner }, never);
        if (acquired.kind !== 'environment') throw new Error(JSON.stringify(acquired));
      }
    },
  };
  try {
    return await work(held);
  } finally {
    gate.resolve();
    await nodes.close();
    await sandbox.close();
    await Promise.all(sessions.map((session) => session.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function openSession(store: JsonlStore, id: SessionId): Promise<Session> {
  const header = { version: LOG_VERSION, id, createdAt: Date.now(), workspace: '/' } as const;
  const writer = await store.openForWriting(header, never);
  if (writer.kind !== 'writer') throw new Error('The log is open elsewhere');
  const session = new Session({ header, writer, now: Date.now, timers: { after }, onFault: fail });
  session.begin();
  presets.set(session, 'workspace-write');
  await session.flush();
  return session;
}

/** A Provider whose processes do not end before the gate is opened. */
function hanging(real: Confiner, gate: Promise<void>): Pick<Confiner, 'launch'> {
  return {
    launch: async (request, signal) => {
      const started = await real.launch(request, signal);
      return started.kind === 'process' ? withGate(started, gate) : started;
    },
  };
}

function withGate(process: ConfinedProcess, gate: Promise<void>): ConfinedProcess {
  const close: ConfinedProcess['close'] = async (onPhase) => {
    await gate;
    return process.close(onPhase);
  };
  return new Proxy(process, {
    get(target, key) {
      if (key === 'close') return close;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function fail(fault: unknown): void {
  throw fault;
}
