import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { LaunchSettings, SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { ConfinedLaunch, ConfinedProcess } from './confined.ts';
import { readProc } from '../process/identity.ts';
import { processTable } from '../process/tree.ts';
import { Bubblewrap, type BubblewrapOptions } from './bubblewrap.ts';

export const SETTINGS: LaunchSettings = {
  writableRoots: [],
  hide: [],
  protectedNames: [],
  network: 'none',
  unixSockets: 'block',
  requireEnforcement: 'any',
  limits: {
    heapBytes: 512 * 2 ** 20,
    dataBytes: 2 ** 30,
    memoryBytes: 4 * 2 ** 30,
    processes: 200,
    descriptors: 1024,
    fileBytes: 64 * 2 ** 20,
    outputBytes: 8 * 2 ** 20,
    tempBytes: 8 * 2 ** 20,
  },
};

export const never: AbortSignal = new AbortController().signal;
export const session = (name: string): SessionId => name as SessionId;

/** A scratch part of the disk with a workspace, things around it that nobody may touch, and a provider. */
export interface World {
  readonly base: string;
  readonly workspace: string;
  readonly outside: string;
  readonly userHome: string;
  readonly home: string;
  readonly provider: Bubblewrap;
  policy(mode: Mode, settings?: Partial<LaunchSettings>): SandboxPolicy;
  remove(): Promise<void>;
}

/** `below` must be reachable for whoever runs this. */
export function createWorld(options: Partial<BubblewrapOptions> = {}, below = '/var/tmp'): World {
  const base = realpathSync(mkdtempSync(join(below, 'gatehouse-test-')));
  chmodSync(base, 0o755);
  const [workspace, outside, userHome, home] = ['ws', 'outside', 'user', 'home'].map((name) => join(base, name));
  if (!workspace || !outside || !userHome || !home) throw new Error('Four folders were just named');
  for (const folder of [workspace, outside, userHome, home]) mkdirSync(folder);
  const provider = new Bubblewrap({
    home,
    instance: `t${randomBytes(4).toString('hex')}`,
    runtime: [process.execPath],
    variables: process.env,
    userHome,
    ...options,
  });
  return {
    base,
    workspace,
    outside,
    userHome,
    home,
    provider,
    policy: (mode, settings = {}) => policyFor(workspace, mode, settings),
    remove: async () => {
      await provider.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

export function policyFor(path: string, mode: Mode, settings: Partial<LaunchSettings> = {}): SandboxPolicy {
  const { dev, ino } = statSync(path, { bigint: true });
  return { mode, workspace: { path, device: String(dev), inode: String(ino) }, settings: { ...SETTINGS, ...settings } };
}

export function makeRepository(folder: string): void {
  execFileSync('git', ['init', '-q', '-b', 'main', folder], { stdio: 'ignore' });
  writeFileSync(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\n');
}

export function link(target: string, path: string): void {
  symlinkSync(target, path);
}

export interface Ran {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly output: string;
}

/** Runs one program to its end and to the end of all it left; both streams in one text. */
export async function run(
  world: World,
  request: Omit<ConfinedLaunch, 'sessionId' | 'cwd'> & Partial<ConfinedLaunch>,
): Promise<Ran> {
  const started = await start(world, request);
  const output = collect(started);
  const exit = await started.exited;
  const closed = await started.close();
  if (!closed.ok) throw new Error(closed.error);
  return { ...exit, output: await output };
}

export async function start(
  world: World,
  request: Omit<ConfinedLaunch, 'sessionId' | 'cwd'> & Partial<ConfinedLaunch>,
): Promise<ConfinedProcess> {
  const launch = { sessionId: session('s1'), cwd: request.policy.workspace.path, ...request };
  const started = await world.provider.launch(launch, never);
  if (started.kind === 'unavailable') throw new Error(`${started.message} ${started.detail ?? ''}`);
  return started;
}

/** Where the host reaches the private temp of the Session `s1`. */
export async function tempRootOf(world: World, policy: SandboxPolicy): Promise<string> {
  const root = await world.provider.tempRoot(session('s1'), policy, never);
  if (typeof root !== 'string') throw new Error(root.message);
  return root;
}

/** Both streams of a process as one text, read from the moment on in which this is made. */
export class Transcript {
  readonly end: Promise<string>;
  #text = '';
  readonly #waiting = new Set<() => void>();

  constructor({ stdout, stderr }: ConfinedProcess) {
    const ends = [stdout, stderr].map(async (stream) => {
      stream.on('data', (chunk) => this.#take(String(chunk)));
      if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
      this.#take('');
    });
    this.end = Promise.all(ends).then(() => this.#text);
  }

  /** Resolves when this was printed; rejects when the process ends without. */
  async until(text: string): Promise<void> {
    let isOver = false;
    void this.end.then(() => (isOver = true));
    while (!this.#text.includes(text)) {
      if (isOver) throw new Error(`It ended after printing ${JSON.stringify(this.#text)}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #take(text: string): void {
    this.#text += text;
    for (const wake of this.#waiting) setImmediate(wake);
    this.#waiting.clear();
  }
}

export function collect(process: ConfinedProcess): Promise<string> {
  return new Transcript(process).end;
}

/** Processes of this machine that have `text` among their arguments, ourselves and Compartments aside. */
export function runningWith(text: string): readonly number[] {
  return [...processTable().keys()].filter((pid) => {
    const command = readProc(pid, 'cmdline') ?? '';
    return command.includes(text) && !command.endsWith('\0cat\0') && pid !== process.pid;
  });
}
