import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SessionId } from '../app/base/id.ts';
import type { Json } from '../app/base/json.ts';
import type { Push } from '../app/contract/pushes.ts';
import { RequestError, type Reply } from '../app/contract/reply.ts';
import type { Caller, Input, Output, RequestName } from '../app/contract/requests.ts';
import type { PendingApproval } from '../app/approval/approvals.ts';
import type { SessionEvent } from '../app/session/events.ts';
import type { Result } from '../app/tool/result.ts';
import { createCore, type CoreOptions, type NodeRuntime } from './core.ts';
import type { Core } from './coreShape.ts';
import { Door } from './door.ts';
import { createHandlers } from './handlers.ts';
import { controlHost } from './host/controlHost.ts';
import { isAlive, readProc, signalTo, type ProcessRow } from './process/identity.ts';
import { processTable } from './process/tree.ts';
import { until } from './process/until.ts';
import { DoorPushes } from './pushes.ts';
import type { ConfinedLaunch, ConfinedProcess, Confiner } from './sandbox/confined.ts';

export interface WorldOptions {
  /** Stands around the real Provider. */
  readonly around?: (provider: Confiner) => Confiner;
  /** Content of `settings.json`. */
  readonly settings?: Json;
  /** Whether somebody can answer approvals; true unless said otherwise. */
  readonly attended?: boolean;
  /** How the PATH of a login is learnt; not at all unless said otherwise. */
  readonly loginPath?: CoreOptions['loginPath'];
  /** What programs run on. */
  readonly node?: NodeRuntime;
  /** PATH of the core while it is built: what the sandbox looks its programs up in. */
  readonly path?: string;
  /** Faults of the product are failures of the test, unless it causes them. */
  readonly faults?: 'expected';
  /** A folder of an earlier World that was closed with `keep`: as after a restart. */
  readonly folder?: string;
}

/** A call of a scripted answer. */
export interface TestCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
}

export interface TestAnswer {
  readonly text?: string;
  readonly await?: string;
  readonly calls?: readonly TestCall[];
}

type More = { readonly [name: string]: Json };

export function program(id: string, code: string, more: More = {}): TestCall {
  return { id, tool: 'run_code', input: { title: id, code, ...more } };
}

export function command(id: string, text: string, more: More = {}): TestCall {
  return { id, tool: 'bash', input: { command: text, ...more } };
}

export function file(id: string, tool: 'write' | 'edit' | 'read', input: More): TestCall {
  return { id, tool, input };
}

export function escalate(to: string, justification = 'because'): More {
  return { escalate: { to, justification } };
}

export function createWorld(options: WorldOptions = {}): Promise<World> {
  return World.open(options);
}

/** The whole product in this process, with its data, a git workspace and one door in a folder of their own. */
export class World {
  readonly folder: string;
  readonly home: string;
  readonly workspace: string;
  readonly core: Core;
  readonly pushes: Push[] = [];
  readonly faults: unknown[];
  readonly #options: WorldOptions;
  readonly #door: Door;
  readonly #doorPushes: DoorPushes;
  readonly #caller: Caller;
  readonly #listeners = new Set<() => void>();
  #scripts = 0;
  #leave: () => void = () => undefined;
  #closing: Promise<void> | undefined;

  static async open(options: WorldOptions): Promise<World> {
    const folder = options.folder ?? (await mkdtemp('/var/tmp/gatehouse-e2e-'));
    const [home, workspace] = [join(folder, 'home'), join(folder, 'repo')];
    await promisify(execFile)('git', ['init', '--quiet', workspace]);
    await mkdir(home, { recursive: true, mode: 0o700 });
    if (options.settings !== undefined) await writeFile(join(home, 'settings.json'), JSON.stringify(options.settings));
    const faults: unknown[] = [];
    const core = await withPath(options.path, () =>
      createCore({
        home,
        onFault: (fault) => void faults.push(fault),
        ...(options.around && { around: options.around }),
        ...(options.node && { node: options.node }),
        ...(options.loginPath && { loginPath: options.loginPath }),
      }),
    );
    return new World({ folder, home, workspace, core, faults }, options);
  }

  private constructor(made: Pick<World, 'folder' | 'home' | 'workspace' | 'core' | 'faults'>, options: WorldOptions) {
    ({ folder: this.folder, home: this.home, workspace: this.workspace, core: this.core, faults: this.faults } = made);
    this.#options = options;
    const onFault = (fault: unknown) => void this.faults.push(fault);
    this.#door = new Door({ handlers: createHandlers(this.core, controlHost(this.core.home)), onFault });
    this.#doorPushes = new DoorPushes({ source: this.core, deliver: async (json) => this.#hear(json), onFault });
    this.#caller = { door: 'test', follow: (id, seq) => this.#doorPushes.follow(id, seq) };
    if (options.attended ?? true) this.attend();
  }

  attend(): void {
    this.#leave();
    this.#leave = this.core.attend();
  }

  /** Whatever the door answers. */
  reply(name: string, input: unknown = {}): Promise<Reply> {
    return this.#door.answer(this.#caller, name, input);
  }

  async request<N extends RequestName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await this.reply(name, input);
    if (!reply.ok) throw new RequestError(reply.code, reply.message);
    return reply.output as Output<N>; // The handler of this name made it.
  }

  /** The first push that fits, of those that came and those to come. */
  async until<P>(fits: (push: Push) => P | undefined | false, ms = 15_000): Promise<P> {
    const found = Promise.withResolvers<P>();
    const look = () => {
      for (const push of this.pushes) {
        const value = fits(push);
        if (value !== undefined && value !== false) return found.resolve(value);
      }
    };
    const late = setTimeout(() => found.reject(new Error(`No such push; the last ones: ${this.#tail()}`)), ms);
    this.#listeners.add(look);
    look();
    try {
      return await found.promise;
    } finally {
      clearTimeout(late);
      this.#listeners.delete(look);
    }
  }

  /** A Session whose turns each make the calls of one list at once, and then say that they are done. */
  turns(turns: readonly (readonly TestCall[])[], options: SessionOptions = {}): Promise<TestSession> {
    return this.session(
      turns.flatMap((calls) => [{ calls }, { text: 'Done.' }]),
      options,
    );
  }

  async session(
    answers: readonly TestAnswer[],
    { preset, workspace = this.workspace }: SessionOptions = {},
  ): Promise<TestSession> {
    this.#scripts += 1;
    const script = join(this.folder, `script-${process.hrtime.bigint()}-${this.#scripts}.json`);
    await writeFile(script, JSON.stringify({ answers }));
    const agent = `script:${script}`;
    const { sessionId } = await this.request('session.create', {
      workspace,
      agent,
      ...(preset !== undefined && { preset }),
    });
    return new TestSession(this, sessionId);
  }

  /** Everything alive that the product started here. */
  processes(): readonly ProcessRow[] {
    return processesOf(this.folder);
  }

  /** Closes the product and fails when it left anything. With `keep` the folder stays for the next World. */
  close(options: { keep?: true } = {}): Promise<void> {
    this.#closing ??= this.#close(options);
    return this.#closing;
  }

  async #close({ keep }: { keep?: true }): Promise<void> {
    await this.core.close();
    await this.#doorPushes.settled();
    this.#doorPushes.close();
    this.#leave();
    const left = this.processes();
    await endAll(left);
    if (!keep) await rm(this.folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`Left behind: ${left.map(describe).join('; ')}`);
    if (this.faults.length > 0 && this.#options.faults !== 'expected')
      throw new AggregateError(this.faults, 'The product had faults');
  }

  #hear(json: string): void {
    this.pushes.push(JSON.parse(json) as Push); // DoorPushes made it a moment ago.
    for (const listener of Array.from(this.#listeners)) listener();
  }

  #tail(): string {
    return this.pushes
      .slice(-8)
      .map((push) => JSON.stringify(push).slice(0, 300))
      .join('\n');
  }
}

type DataOf<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>['data'];

interface SessionOptions {
  readonly preset?: string;
  readonly workspace?: string;
}

/** One Session, as a client sees it. */
export class TestSession {
  readonly id: SessionId;
  readonly #world: World;

  constructor(world: World, id: SessionId) {
    this.#world = world;
    this.id = id;
  }

  /** Sends a prompt and does not wait for what comes of it. */
  async begin(): Promise<void> {
    await this.#world.request('session.prompt', { sessionId: this.id, text: 'Go' });
  }

  /** One whole turn: the results of its calls, in their order. */
  async turn(): Promise<readonly Result[]> {
    const before = (await this.events()).length;
    await this.begin();
    await this.idle();
    return resultsOf((await this.events()).slice(before));
  }

  /** The result of the one call of the next turn. */
  async one(): Promise<Result> {
    const [result] = await this.turn();
    if (!result) throw new Error('The turn made no call');
    return result;
  }

  async idle(): Promise<string> {
    return (await this.#world.request('session.idle', { sessionId: this.id })).reason;
  }

  async events(): Promise<readonly SessionEvent[]> {
    const { events } = await this.#world.request('session.events', { sessionId: this.id, from: 0, to: 1000 });
    return events;
  }

  async types(): Promise<readonly string[]> {
    return (await this.events()).map(({ type }) => type);
  }

  async of<T extends SessionEvent['type']>(type: T): Promise<readonly DataOf<T>[]> {
    return (await this.events()).filter((event) => event.type === type).map(({ data }) => data as DataOf<T>); // By its type.
  }

  /** The first event that fits, once it is durable. */
  event(fits: (event: SessionEvent) => boolean): Promise<SessionEvent> {
    return this.#world.until(
      (push) => push.push === 'event' && push.data.sessionId === this.id && fits(push.data.event) && push.data.event,
    );
  }

  started(callId: string): Promise<SessionEvent> {
    return this.event(({ type, data }) => type === 'tool/started' && data.callId === callId);
  }

  async result(callId: string): Promise<Result> {
    const { data } = await this.event((event) => event.type === 'tool/result' && event.data.callId === callId);
    return data as Result;
  }

  /** The question that this call asks. */
  asked(callId: string): Promise<PendingApproval> {
    return this.#world.until(
      ({ push, data }) =>
        push === 'approval' &&
        data.change === 'asked' &&
        data.approval.sessionId === this.id &&
        data.approval.callId === callId &&
        data.approval,
    );
  }

  async decide(callId: string, decision: 'allow-once' | 'deny', note?: string) {
    const { approvalId } = await this.asked(callId);
    return this.#world.request('approval.decide', { approvalId, decision, ...(note !== undefined && { note }) });
  }

  async setMode(mode: Input<'mode.set'>['mode']) {
    return this.#world.request('mode.set', { sessionId: this.id, mode });
  }

  async view() {
    return (await this.#world.request('session.open', { sessionId: this.id })).view;
  }

  async environments() {
    return (await this.#world.request('environment.list', { sessionId: this.id })).environments;
  }

  async expectVerified(): Promise<void> {
    const verified = await this.#world.request('session.verify', { sessionId: this.id });
    if (!verified.ok) throw new Error(JSON.stringify(verified.problems));
  }

  /** The bytes of its log. */
  log(): Promise<string> {
    return readFile(join(this.#world.home, 'sessions', this.id, 'session.jsonl'), 'utf8');
  }
}

export function resultsOf(events: readonly SessionEvent[]): readonly Result[] {
  return events.flatMap((event) => (event.type === 'tool/result' ? [event.data] : []));
}

/** A Provider like the real one, whose launches or processes are changed on their way. */
export function aroundLaunch(change: {
  readonly request?: (request: ConfinedLaunch) => ConfinedLaunch;
  readonly process?: (process: ConfinedProcess) => ConfinedProcess;
}): (real: Confiner) => Confiner {
  const { request = (same) => same, process = (same) => same } = change;
  return (real) => ({
    probe: (signal) => real.probe(signal),
    tempRoot: (id, policy, signal) => real.tempRoot(id, policy, signal),
    release: (id) => real.release(id),
    close: () => real.close(),
    launch: async (asked, signal) => {
      const started = await real.launch(request(asked), signal);
      return started.kind === 'process' ? process(started) : started;
    },
  });
}

/** The same process with another `close`. */
export function withClose(process: ConfinedProcess, close: ConfinedProcess['close']): ConfinedProcess {
  return new Proxy(process, {
    get(target, key) {
      if (key === 'close') return close;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Everything alive that has to do with `folder`: by its variables, its arguments, its place or what it sees mounted. */
export function processesOf(folder: string): readonly ProcessRow[] {
  return Array.from(processTable().values()).filter(({ pid }) => pid !== process.pid && isOf(pid, folder));
}

/** Waits until nothing alive has to do with `folder`; what is left after `ms` is returned. */
export async function goneWithin(folder: string, ms: number): Promise<readonly string[]> {
  // What is just being started has no name for a moment: nothing is there when it was not seen several times in a row.
  let [left, unseen] = [processesOf(folder), 0];
  const look = () => {
    left = processesOf(folder);
    unseen = left.length === 0 ? unseen + 1 : 0;
    return unseen > 20;
  };
  await until(look, ms);
  return left.map(describe);
}

/** For the end of a test: fails when anything alive has to do with `folder` after a while. */
export async function assertGone(folder: string): Promise<void> {
  const left = await goneWithin(folder, 5_000);
  if (left.length > 0) throw new Error(`Left behind: ${left.join('; ')}`);
}

function isOf(pid: number, folder: string): boolean {
  return (
    ['environ', 'cmdline', 'mountinfo'].some((name) => textOf(pid, name).includes(folder)) ||
    placeOf(pid).startsWith(folder)
  );
}

function textOf(pid: number, name: string): string {
  try {
    return readProc(pid, name) ?? '';
  } catch {
    return ''; // It is ending: its files cannot be read any more.
  }
}

function placeOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return ''; // It ended while we looked.
  }
}

function describe({ pid, state }: ProcessRow): string {
  return `${pid} ${state} ${textOf(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 160)}`;
}

async function endAll(processes: readonly ProcessRow[]): Promise<void> {
  for (const each of processes) signalTo(each, 'SIGKILL');
  await until(() => processes.every((each) => !isAlive(each)), 5_000);
}

async function withPath<T>(path: string | undefined, work: () => Promise<T>): Promise<T> {
  const before = process.env['PATH'];
  if (path !== undefined) process.env['PATH'] = path;
  try {
    return await work();
  } finally {
    process.env['PATH'] = before;
  }
}
