import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionId } from '../../app/base/id.ts';
import { ripgrepPath } from '../../main/native.ts';
import { Bubblewrap } from '../../main/sandbox/bubblewrap.ts';
import { plainStart, timed, toRow, type Row } from './measure.ts';
import { policyOf } from './sandbox.ts';

/** One way to run `node -e 0` confined, brought up before it is measured. */
interface Side {
  run(): Promise<void>;
  close(): Promise<void>;
}

interface Place {
  readonly folder: string;
  readonly workspace: string;
}

const SIDES: Readonly<Record<string, (place: Place) => Promise<Side | string>>> = {
  'sandboxed node beside others: Gatehouse': ours,
  'the same, @anthropic-ai/sandbox-runtime': sandboxRuntime,
  'the same, codex sandbox of @openai/codex': codex,
};

/**
 * The same command under our sandbox and under those of others, in turns. Theirs are no part of this repository: they are
 * measured where they are installed, here or in the folder that `GATEHOUSE_BENCH_OTHERS` names.
 */
export async function measureOthers(rounds = 15): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(homedir(), '.gatehouse-bench-'));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const sides = new Map<string, Side | string>();
  try {
    for (const [name, start] of Object.entries(SIDES))
      sides.set(name, await attempt(() => start({ folder, workspace })));
    return await inTurns(sides, rounds);
  } finally {
    for (const side of sides.values()) if (typeof side !== 'string') await side.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function inTurns(sides: ReadonlyMap<string, Side | string>, rounds: number): Promise<readonly Row[]> {
  const plain: number[] = [];
  const measured = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await plainStart());
    for (const [name, side] of sides) {
      if (typeof side === 'string') continue;
      measured.set(name, [...(measured.get(name) ?? []), await timed(() => side.run())]);
    }
  }
  return Array.from(sides, ([name, side]) =>
    typeof side === 'string'
      ? { name, unit: 'B', measured: Number.NaN, missing: side }
      : toRow({ name, plain, measured: measured.get(name) ?? [] }),
  );
}

/** It has run once before it counts, and what it needs in the first place is there. */
async function attempt(start: () => Promise<Side | string>): Promise<Side | string> {
  try {
    const side = await start();
    if (typeof side !== 'string') await side.run();
    return side;
  } catch (fault) {
    return `does not run here: ${fault instanceof Error ? fault.message.split('\n')[0] : String(fault)}`;
  }
}

async function ours({ folder, workspace }: Place): Promise<Side> {
  const provider = new Bubblewrap({
    home: join(folder, 'home'),
    instance: `bench-${process.pid}`,
    runtime: [dirname(process.execPath)],
    variables: process.env,
    userHome: homedir(),
  });
  const run = async () => {
    const policy = await policyOf(workspace, folder);
    const argv = [process.execPath, '-e', '0'] as const;
    const request = { sessionId: 's_bench' as SessionId, policy, cwd: workspace, argv };
    const started = await provider.launch(request, new AbortController().signal);
    if (started.kind === 'unavailable') throw new Error(started.message);
    await started.closed;
  };
  return { run, close: () => provider.close() };
}

/** The part of its API that is used. */
interface SandboxRuntime {
  readonly SandboxManager: {
    initialize(config: object): Promise<void>;
    wrapWithSandbox(command: string): Promise<string>;
    reset(): Promise<void>;
  };
}

async function sandboxRuntime({ workspace }: Place): Promise<Side | string> {
  const path = find('@anthropic-ai/sandbox-runtime');
  if (path === undefined) return NOT_INSTALLED;
  const { SandboxManager } = (await import(pathToFileURL(path).href)) as SandboxRuntime; // As its documentation says.
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [workspace], denyWrite: [] },
    ripgrep: { command: ripgrepPath() },
  });
  const run = async () => {
    const line = await SandboxManager.wrapWithSandbox(`'${process.execPath}' -e 0`);
    await succeed('/bin/sh', ['-c', line], { cwd: workspace });
  };
  return { run, close: () => SandboxManager.reset() };
}

async function codex({ folder, workspace }: Place): Promise<Side | string> {
  const triple = { x64: 'x86_64-unknown-linux-musl', arm64: 'aarch64-unknown-linux-musl' }[process.arch as string];
  const manifest = find(`@openai/codex-linux-${process.arch}/package.json`);
  if (manifest === undefined || triple === undefined) return NOT_INSTALLED;
  // The program itself: its launcher in JavaScript would be one more start of Node.
  const program = join(dirname(manifest), 'vendor', triple, 'bin', 'codex');
  const env = { ...process.env, CODEX_HOME: join(folder, 'codex') };
  await mkdir(env.CODEX_HOME);
  const line = ['sandbox', '-c', 'sandbox_mode="workspace-write"', '--', process.execPath, '-e', '0'];
  return { run: () => succeed(program, line, { cwd: workspace, env }), close: async () => undefined };
}

const NOT_INSTALLED = 'not installed';

function find(name: string): string | undefined {
  const folder = process.env['GATEHOUSE_BENCH_OTHERS'] ?? dirname(dirname(import.meta.dirname));
  try {
    return createRequire(join(folder, 'package.json')).resolve(name);
  } catch {
    return undefined; // It is not there, or not to be had under this name.
  }
}

async function succeed(
  program: string,
  argv: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(program, argv, { ...options, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}
