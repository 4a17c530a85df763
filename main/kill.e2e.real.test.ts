import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionId } from '../app/base/id.ts';
import type { Output } from '../app/contract/requests.ts';
import type { SessionEvent } from '../app/session/events.ts';
import { command, escalate, program, goneWithin, processesOf, type TestAnswer } from './core.fixture.ts';
import { ControlClient } from './controlClient.fixture.ts';
import { signalTo } from './process/identity.ts';
import { seededRandom } from './random.fixture.ts';

const KILLS = 100;
/** Homes that are killed side by side. */
const AT_ONCE = 4;
const SEED = 20_261_130;

let folder: string;
const clients = new Set<ControlClient>();
beforeEach(async () => {
  folder = await mkdtemp('/var/tmp/gatehouse-kill-');
  // Ended in good order, it leaves what later starts need not compile again.
  const first = startIn(join(folder, 'first'));
  await expectEnd(first);
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients.clear();
  for (const left of processesOf(folder)) signalTo(left, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Everything that is in flight when the kill comes: programs, commands, file writes, a question, streamed text. */
const BUSY: readonly TestAnswer[] = [
  { text: 'Some words that come in small parts. '.repeat(4), calls: [command('echo', 'echo x >> echo.txt; echo y')] },
  {
    calls: [
      program(
        'loop',
        "for (let i = 0; i < 40; i++) { await tools.bash({ command: 'echo x >> nested.txt' }); console.log(i); } 1",
      ),
      command('child', '(while :; do echo x >> child.txt; sleep 0.01; done) & sleep 30'),
    ],
  },
];
const ASKING: readonly TestAnswer[] = [
  { calls: [command('ask', 'echo x >> ../asked.txt', escalate('danger-full-access'))] },
];
const PROGRAMS: readonly TestAnswer[] = [
  {
    calls: [
      program('set', "require('child_process').spawn('sleep', ['60'], { detached: true }).unref(); let v = 1; v"),
    ],
  },
  { calls: [program('wait', "await tools.bash({ command: 'sleep 30' })")] },
];
const WRITING: readonly TestAnswer[] = Array.from({ length: 40 }, (_, index) => ({
  text: `Step ${index}. `.repeat(10),
  calls: [{ id: `w${index}`, tool: 'write', input: { path: `w${index}.txt`, content: 'x'.repeat(2000) } }],
}));
const SCRIPTS = { asking: ASKING, programs: PROGRAMS, busy: BUSY, writing: WRITING };

/** One home that is used again and again, whatever it has been through. */
class Place {
  readonly folder: string;
  readonly #random: () => number;
  #killed: Killed | undefined;
  kills = 0;
  acknowledged = 0;
  /** What the kills fell into. */
  readonly cut = { turns: 0, questions: 0, started: 0, environments: 0 };

  constructor(name: string, random: () => number) {
    this.folder = join(folder, name);
    this.#random = random;
  }

  async prepare(): Promise<void> {
    await promisify(execFile)('git', ['init', '--quiet', join(this.folder, 'repo')]);
    await mkdir(join(this.folder, 'home'), { mode: 0o700 });
    for (const [name, answers] of Object.entries(SCRIPTS))
      await writeFile(this.#script(name), JSON.stringify({ answers }));
  }

  /** Looks at what the last kill left, begins new work, and kills at a random moment of it. */
  async round(): Promise<void> {
    const client = this.#start();
    await this.#check(client);
    const killed: Killed = { client, replies: [], sessions: [] };
    const begun = client.until(() => killed.sessions.length > 0);
    const working = Promise.all(Object.keys(SCRIPTS).map((script) => this.#work(killed, script)));
    working.catch(() => undefined);
    await begun;
    // The moment is random, the seed is not: so much was said, and then a little later.
    const said = this.#random() * 200;
    await client.until(() => client.pushes.length >= said);
    await delay(this.#random() * 40);
    await client.kill();
    await expectGone(this.folder);
    clients.delete(client);
    this.#killed = killed;
    this.kills += 1;
  }

  /** What the very last kill left. */
  async finish(): Promise<void> {
    const client = this.#start();
    await this.#check(client);
    await expectEnd(client);
    await expectGone(this.folder);
    clients.delete(client);
  }

  async #work(killed: Killed, script: string): Promise<void> {
    const { client } = killed;
    const agent = `script:${this.#script(script)}`;
    const { sessionId } = await client.request('session.create', { workspace: join(this.folder, 'repo'), agent });
    killed.sessions.push(sessionId);
    const note = ({ seq }: { readonly seq?: number }, type: string) =>
      void (seq !== undefined && killed.replies.push({ sessionId, seq, type }));
    note(await client.request('session.prompt', { sessionId, text: 'Go' }), 'user/message');
    for (let turn = 0; ; turn += 1) {
      const preset = turn % 2 === 0 ? 'read-only' : 'workspace-write';
      note(await client.request('approvalPolicy.set', { sessionId, policy: 'ask' }), 'approval/policy');
      await delay(this.#random() * 60);
      if (script === 'busy' || script === 'writing')
        note(await client.request('preset.set', { sessionId, preset }), 'permission/preset');
      note(await client.request('session.prompt', { sessionId, text: `More ${turn}` }), 'user/message');
    }
  }

  /** Everything that was acknowledged is there to the byte, what was open is closed, and the log verifies. */
  async #check(client: ControlClient): Promise<void> {
    const killed = this.#killed;
    if (!killed) return;
    const known = new Set([...killed.sessions, ...killed.client.events.map((event) => event.sessionId as SessionId)]);
    for (const sessionId of known) {
      const before = await this.#stored(sessionId);
      expectAcknowledged(killed, sessionId, before);
      const opened = await client.request('session.open', { sessionId });
      expectKept(await this.#stored(sessionId), before);
      const events = before.map((text) => JSON.parse(text) as SessionEvent);
      await expectClosed(client, sessionId, { opened, before: events });
      this.#count(events);
    }
    this.acknowledged += killed.client.events.length + killed.replies.length;
  }

  #count(events: readonly SessionEvent[]): void {
    const open = (begin: SessionEvent['type'], end: SessionEvent['type']) =>
      events.filter(({ type }) => type === begin).length - events.filter(({ type }) => type === end).length;
    this.cut.turns += open('turn/start', 'turn/end');
    this.cut.questions += open('approval/asked', 'approval/decided');
    this.cut.environments += open('environment/started', 'environment/ended');
    this.cut.started += Math.max(0, open('tool/started', 'tool/result'));
  }

  async #stored(sessionId: string): Promise<readonly string[]> {
    const log = await readFile(join(this.folder, 'home', 'sessions', sessionId, 'session.jsonl'), 'utf8');
    // The first line is the header; a torn last one is none.
    return log
      .split('\n')
      .slice(1, -1)
      .map((line) => line.replace(/,"hash":"[0-9a-f]{64}"\}$/, '}'));
  }

  #script(name: string): string {
    return join(this.folder, `${name}.json`);
  }

  #start(): ControlClient {
    return startIn(join(this.folder, 'home'));
  }
}

function startIn(home: string): ControlClient {
  const client = new ControlClient(home, { NODE_COMPILE_CACHE: join(folder, 'compiled') });
  clients.add(client);
  return client;
}

interface Killed {
  readonly client: ControlClient;
  readonly replies: { readonly sessionId: SessionId; readonly seq: number; readonly type: string }[];
  readonly sessions: SessionId[];
}

interface Found {
  readonly opened: Output<'session.open'>;
  /** As the kill left them. */
  readonly before: readonly SessionEvent[];
}

async function expectEnd(client: ControlClient): Promise<void> {
  expect(await client.end()).toBe(0);
}

async function expectGone(place: string): Promise<void> {
  expect(await goneWithin(place, 5_000)).toEqual([]);
}

function expectAcknowledged({ client, replies }: Killed, sessionId: SessionId, lines: readonly string[]): void {
  const pushed = client.events.filter((event) => event.sessionId === sessionId);
  expect(pushed.map(({ seq }) => lines[seq])).toEqual(pushed.map(({ text }) => text));
  for (const { seq, type } of replies.filter((reply) => reply.sessionId === sessionId)) {
    expect(JSON.parse(lines[seq] ?? 'null')).toMatchObject({ seq, type });
  }
}

function expectKept(lines: readonly string[], before: readonly string[]): void {
  expect(lines.slice(0, before.length)).toEqual(before);
}

async function expectClosed(
  client: ControlClient,
  sessionId: SessionId,
  { opened: { view }, before }: Found,
): Promise<void> {
  expect(await client.request('session.verify', { sessionId })).toMatchObject({ ok: true, problems: [] });
  const { events } = await client.request('session.events', { sessionId, from: 0, to: 1000 });
  const count = (type: SessionEvent['type']) => events.filter((event) => event.type === type).length;
  expect(view).toMatchObject({ approvals: [], environments: [], cleanups: [] });
  expect(view.turn).toBeUndefined();
  expect(view.readOnly).toBeUndefined();
  expect([count('turn/end'), count('tool/result'), count('tool/nested-result'), count('approval/decided')]).toEqual([
    count('turn/start'),
    count('tool/call'),
    count('tool/nested-start'),
    count('approval/asked'),
  ]);
  const open =
    before.filter(({ type }) => type === 'turn/start').length - before.filter(({ type }) => type === 'turn/end').length;
  const interrupted = events
    .slice(before.length)
    .filter(({ type, data }) => type === 'turn/end' && data.reason === 'interrupted');
  expect(interrupted).toHaveLength(open);
  const reasons = events
    .slice(before.length)
    .flatMap(({ type, data }) => (type === 'approval/decided' ? [[data.outcome, data.reason]] : []));
  expect(reasons).toEqual(reasons.map(() => ['cancelled', 'restarted']));
}

it(`a main process that is killed at ${KILLS} random moments leaves no process, loses nothing it had acknowledged, and its logs are closed and verify`, async () => {
  // The same moments each time, as far as a machine allows.
  const random = seededRandom(SEED);
  const places = Array.from({ length: AT_ONCE }, (_, index) => new Place(`p${index}`, random));
  await Promise.all(places.map((place) => place.prepare()));
  await Promise.all(
    places.map(async (place) => {
      while (place.kills < KILLS / AT_ONCE) await place.round();
      await place.finish();
    }),
  );
  const total = (count: (place: Place) => number) => places.reduce((sum, place) => sum + count(place), 0);
  expect(total(({ kills }) => kills)).toBe(KILLS);
  expect(total(({ acknowledged }) => acknowledged)).toBeGreaterThan(KILLS * 10);
  expect(total(({ cut }) => cut.turns)).toBeGreaterThan(KILLS);
  for (const what of ['questions', 'started', 'environments'] as const)
    expect(total(({ cut }) => cut[what])).toBeGreaterThan(KILLS / 10);
}, 240_000);
