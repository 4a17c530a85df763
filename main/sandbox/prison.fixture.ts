import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { isAlive, identityOf } from '../process/identity.ts';
import type { Bubblewrap } from './bubblewrap.ts';
import type { Prison } from './escape.fixture.ts';
import { collect, createWorld, link, makeRepository, session, SETTINGS, start, type World } from './world.fixture.ts';

export interface Sentence {
  readonly exitCode: number | null;
  readonly output: string;
  /** What changed in the watched world, and what is still alive. */
  readonly broken: readonly string[];
}

/** The descriptor that the test leaves open in the launching process: a folder. */
export const LEAKED = 20;

/** Enough for Node with a few threads; less than a memory hog takes. */
const DATA_BYTES = 1.5 * 2 ** 30;

/** Of a whole tree: what several hogs take that are small enough by themselves. */
const MEMORY_BYTES = 2 ** 30;

/** A world whose outside is watched, with host processes and sockets that a probe may try to reach. */
export class Jail {
  readonly prison: Prison;
  readonly #world: World;
  readonly #host: ChildProcess;
  readonly #servers: Server[];

  static async open(): Promise<Jail> {
    const marker = randomBytes(4).toString('hex');
    const secret = `GHSECRET-${marker}-Z`;
    const world = createWorld({
      runtime: [process.execPath, join(dirname(import.meta.dirname), 'ptc')],
      variables: { ...process.env, MY_SETTING: secret, LD_PRELOAD: '' },
    });
    process.env['MY_SETTING'] = secret;
    const host = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', `${marker}-host`], { stdio: 'ignore' });
    const sockets = [join(world.userHome, 'app.sock'), `/tmp/${marker}.sock`, `\0${marker}`];
    if (process.geteuid?.() === 0) sockets.push(`/run/${marker}.sock`);
    const servers = await Promise.all(sockets.map((path) => listen({ path })));
    const tcp = await listen({ port: 0, host: '127.0.0.1' });
    const address = tcp.address();
    if (typeof address !== 'object' || !address) throw new Error('A TCP server has an address');
    return new Jail(world, host, [...servers, tcp], { marker, secret, sockets, port: address.port });
  }

  private constructor(
    world: World,
    host: ChildProcess,
    servers: Server[],
    facts: Pick<Prison, 'marker' | 'secret' | 'sockets' | 'port'>,
  ) {
    this.#world = world;
    this.#host = host;
    this.#servers = servers;
    const { workspace, outside, userHome, home, base } = world;
    this.prison = {
      ...facts,
      workspace,
      outside,
      userHome,
      home,
      sibling: `${workspace}-evil`,
      hidden: join(base, 'hidden'),
      hostPid: host.pid ?? 0,
      sharedMemory: shareMemory(),
      leaked: LEAKED,
      tempBytes: SETTINGS.limits.tempBytes,
    };
    this.#furnish();
  }

  async try(
    mode: Mode,
    argv: readonly [string, ...string[]],
    unixSockets: 'block' | 'private' = 'block',
  ): Promise<Sentence> {
    return this.watch(async () => {
      const policy = this.policy(mode, unixSockets);
      const started = await start(this.#world, { policy, argv, sessionId: session('jail'), graceMs: 0 });
      const output = collect(started);
      const { exitCode } = await started.exited;
      const closed = await started.close();
      return { exitCode, output: await output, broken: closed.ok ? [] : [closed.error] };
    });
  }

  /** Adds what changed meanwhile to whatever was noticed by who ran it. */
  async watch(run: () => Promise<Sentence>): Promise<Sentence> {
    const before = this.#look();
    const sentence = await run();
    const after = this.#look();
    const changed = Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key]);
    return { ...sentence, broken: [...changed, ...sentence.broken] };
  }

  get provider(): Bubblewrap {
    return this.#world.provider;
  }

  policy(mode: Mode, unixSockets: 'block' | 'private'): SandboxPolicy {
    const limits = { ...SETTINGS.limits, dataBytes: DATA_BYTES, memoryBytes: MEMORY_BYTES };
    return this.#world.policy(mode, { hide: [this.prison.hidden], unixSockets, limits });
  }

  async close(): Promise<void> {
    this.#host.kill('SIGKILL');
    for (const server of this.#servers) server.close();
    spawnSync('ipcrm', ['-m', String(this.prison.sharedMemory)]);
    spawnSync('perl', ['-e', `shmctl(${this.prison.sharedMemory}, 0, 0)`]);
    rmSync(`/etc/${this.prison.marker}`, { force: true });
    await this.#world.remove();
  }

  #furnish(): void {
    const { workspace, outside, sibling, hidden, home } = this.prison;
    for (const folder of [sibling, hidden]) mkdirSync(folder);
    for (const path of [join(outside, 'file'), join(hidden, 'secret'), join(home, 'key'), join(workspace, 'inside')])
      writeFileSync(path, 'original\n');
    link(outside, join(workspace, 'old-link'));
    link(join(outside, 'file'), join(workspace, 'old-link-file'));
    makeRepository(workspace);
  }

  /** Everything that a held probe leaves as it was, as one value per thing. */
  #look(): Record<string, string> {
    const { outside, sibling, userHome, hidden, home, workspace, marker } = this.prison;
    const seen: Record<string, string> = {};
    for (const folder of [outside, sibling, userHome, hidden, join(workspace, '.git/hooks'), leakedFolder()])
      describe(folder, seen);
    for (const file of [join(home, 'key'), join(home, 'pwned'), join(workspace, '.git/config'), `/etc/${marker}`])
      describe(file, seen);
    for (const name of ['pwned', 'fill', 'mine', 'disk']) describe(join('/tmp', name), seen);
    seen['swappiness'] = readFileSync('/proc/sys/vm/swappiness', 'utf8');
    const host = identityOf(this.#host.pid ?? 0);
    seen['host process'] = String(host !== undefined && isAlive(host));
    seen['left alive'] = String(countMarked(marker));
    return seen;
  }
}

async function listen(at: { path: string } | { port: number; host: string }): Promise<Server> {
  const server = createServer((socket) => socket.end('host')).listen(at);
  await once(server, 'listening');
  return server;
}

/** A segment of the host that anybody may read. */
function shareMemory(): number {
  const made = spawnSync(
    'perl',
    ['-e', 'my $id = shmget(0, 64, 0666 | 01000); shmwrite($id, "host", 0, 4); print $id'],
    { encoding: 'utf8' },
  );
  return Number(made.stdout);
}

function leakedFolder(): string {
  return readlinkSync(`/proc/self/fd/${LEAKED}`);
}

function describe(path: string, seen: Record<string, string>): void {
  if (!existsSync(path)) return;
  const { mode, mtimeMs } = statSync(path);
  if (statSync(path).isDirectory()) {
    seen[path] = `folder ${mode}`;
    for (const name of readdirSync(path)) describe(join(path, name), seen);
  } else seen[path] = `${mode} ${mtimeMs} ${statSync(path).isFile() ? readFileSync(path, 'utf8') : ''}`;
}

/** Processes with the marker among their arguments; the host's own is one. */
function countMarked(marker: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false; // Gone meanwhile, or not ours to read.
    }
  }).length;
}
