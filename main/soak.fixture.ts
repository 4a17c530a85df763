import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SessionEvent } from '../app/session/events.ts';
import {
  command,
  createWorld,
  escalate,
  file,
  program,
  type TestAnswer,
  type TestCall,
  type TestSession,
  type World,
} from './core.fixture.ts';
import { seededRandom } from './random.fixture.ts';
import { countsOf, left, own, unpaired } from './soakChecks.fixture.ts';

export interface SoakSize {
  readonly sessions: number;
  readonly switches: number;
  readonly seed: number;
}

/** What a soak went through, and what is wrong after it. */
export interface Soaked {
  /** How often each kind of event is in the logs. */
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

const PRESETS = ['read-only', 'workspace-write', 'danger-full-access'];
/** Between two switches at most. */
const PAUSE_MS = 150;
/** More than a Session ever comes to. */
const TURNS = 400;

/** Sessions that work on all kinds of things while their presets are switched at random moments, until all of it is closed. */
export async function soak({ sessions: count, switches, seed }: SoakSize): Promise<Soaked> {
  const random = seededRandom(seed);
  await warmUp();
  const before = own();
  const world = await createWorld();
  try {
    const workers = await Promise.all(Array.from({ length: count }, (_, index) => Worker.start(world, index, random)));
    await Promise.all(FIRST.map((type, index) => come(world, { sessionId: workers[index]?.session.id, type })));
    for (let made = 0; made < switches; made += 1) {
      await delay(random() * PAUSE_MS);
      await pick(workers, random).turnTo(pick(PRESETS, random));
    }
    await Promise.all(workers.map((worker) => worker.stop()));
    const sessions = workers.map(({ session }) => session);
    const unverified = await Promise.all(sessions.map(verify));
    await world.close({ keep: true });
    const logs = await Promise.all(sessions.map(allEvents));
    const problems = [...unverified.flat(), ...logs.flatMap(unpaired), ...(await left(world.home, before))];
    return { counts: countsOf(logs.flat()), problems };
  } finally {
    await world.close();
    await rm(world.folder, { recursive: true, force: true });
  }
}

/** So many Sessions that start at once take their time. */
async function come(
  world: World,
  { sessionId, type }: { readonly sessionId: string | undefined; readonly type: SessionEvent['type'] },
): Promise<void> {
  await world.until(
    ({ push, data }) => push === 'event' && data.sessionId === sessionId && data.event.type === type,
    180_000,
  );
}

/** What is loaded and opened once in a process is no leak. */
async function warmUp(): Promise<void> {
  const world = await createWorld();
  const session = await world.turns([[command('a', 'true'), program('b', '1')]]);
  await session.turn();
  await world.close();
}

class Worker {
  readonly session: TestSession;
  readonly #world: World;
  readonly #random: () => number;
  #stopped = false;
  #working: Promise<void> = Promise.resolve();

  static async start(world: World, index: number, random: () => number): Promise<Worker> {
    const preset = PRESETS[index % PRESETS.length] ?? '';
    const session = await world.session(answersOf(index), { preset });
    const worker = new Worker(session, world, random);
    worker.#working = worker.#work();
    // Its fault is told when it is stopped.
    worker.#working.catch(() => undefined);
    return worker;
  }

  private constructor(session: TestSession, world: World, random: () => number) {
    this.session = session;
    this.#world = world;
    this.#random = random;
  }

  /** Now and then a person stops what is going on as well. */
  async turnTo(preset: string): Promise<void> {
    const { id: sessionId } = this.session;
    if (this.#random() < 0.2) await this.#world.request('session.stop', { sessionId });
    await this.#answer();
    await this.#world.request('preset.set', { sessionId, preset });
  }

  /** Resolves when nothing of its work goes on. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const { id: sessionId } = this.session;
    const stopping = setInterval(() => void this.#world.reply('session.stop', { sessionId }), 200);
    await this.#working;
    clearInterval(stopping);
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      await this.session.begin();
      await this.session.idle();
    }
  }

  /** Some questions are answered, and some are left to whatever comes. */
  async #answer(): Promise<void> {
    const { approvals } = await this.#world.request('approval.list', { sessionId: this.session.id });
    for (const { approvalId } of approvals) {
      const decision = pick(['allow-once', 'deny', undefined] as const, this.#random);
      if (decision) await this.#world.request('approval.decide', { approvalId, decision });
    }
  }
}

/** Each kind of work; a Session begins with another one than its neighbours, and goes round. */
const KINDS: readonly ((id: string) => readonly TestCall[])[] = [
  (id) => [command(`ask-${id}`, 'echo x >> asked.txt', escalate('danger-full-access'))],
  (id) => [{ id: `job-${id}`, tool: 'job_start', input: { title: 'Sleeps', command: 'sleep 60 & sleep 60' } }],
  (id) => [program(`nested-${id}`, "for (let i = 0; i < 40; i += 1) await tools.bash({ command: 'echo x >> n.txt' })")],
  (id) => [command(`tree-${id}`, '(setsid sleep 60 &) ; sleep 60 & (sleep 60 & wait) & wait')],
  (id) => [program(`count-${id}`, 'globalThis.n = (globalThis.n ?? 0) + 1; n')],
  (id) => [program(`loop-${id}`, 'for (;;) {}')],
  (id) => [program(`may-${id}`, "await tools.write({ path: '../asked.txt', content: 'x' }).catch(() => 'no')")],
  (id) => [program(`ask-${id}`, "require('fs').writeFileSync('asked.txt', 'x')", escalate('danger-full-access'))],
  (id) => [program(`child-${id}`, "require('child_process').spawn('sleep', ['60'], { detached: true }).unref()")],
  (id) => [command(`quick-${id}`, 'echo x >> quick.txt'), file(`read-${id}`, 'read', { path: 'quick.txt' })],
  (id) => [command(`flood-${id}`, 'yes | head -c 400000')],
];

/** What the first Sessions have come to before anything is switched, so that there is some of each. */
const FIRST = ['approval/asked', 'job/started', 'tool/nested-start', 'tool/started'] as const;

function answersOf(offset: number): readonly TestAnswer[] {
  return Array.from({ length: TURNS }, (_, turn) => [
    { text: `Turn ${turn}. `, calls: KINDS[(offset + turn) % KINDS.length]?.(String(turn)) ?? [] },
    { text: 'Done.' },
  ]).flat();
}

async function verify(session: TestSession): Promise<readonly string[]> {
  try {
    await session.expectVerified();
    return [];
  } catch (fault) {
    return [`${session.id}: ${String(fault)}`];
  }
}

async function allEvents(session: TestSession): Promise<readonly SessionEvent[]> {
  const lines = (await session.log()).split('\n').slice(1, -1);
  return lines.map((line) => JSON.parse(line) as SessionEvent); // The store wrote them.
}

function pick<T>(values: readonly T[], random: () => number): T {
  const picked = values[Math.floor(random() * values.length)];
  if (picked === undefined && values.length === 0) throw new Error('There is nothing to pick from');
  return picked as T; // The index is within.
}
