import { realpath } from 'node:fs/promises';
import { makeFolder } from '../base/makeFolder.ts';
import { boundRoots, carriers } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { ProcessIdentity } from '../../app/sandbox/provider.ts';
import { identityOf, isAlive, signalTo } from '../process/identity.ts';
import { until } from '../process/until.ts';
import { spawnPlanned, type Spawned } from './descriptors.ts';
import type { Variables } from './environment.ts';
import { exitOf, type LaunchFailure } from './launcher.ts';
import type { Pipes } from './pipes.ts';
import { readStatus } from './status.ts';
import { closing } from './streams.ts';

export interface CompartmentOptions {
  readonly bwrap: string;
  readonly nsenter: string;
  /** An empty folder of ours: on the host it stays empty, in the Compartment it is the temp. */
  readonly folder: string;
  readonly env: Variables;
  readonly policy: SandboxPolicy;
  readonly runtime: readonly string[];
  readonly pipes: Pipes;
}

/**
 * The namespaces that the launches of one Session share: its temp, its loopback, its System V memory (sandbox.md,
 * Compartment). It is held by an idle process of ours that no code of an agent ever runs in, and that dies with us.
 */
export class Compartment {
  readonly kind = 'compartment';
  readonly folder: string;
  readonly #nsenter: string;
  readonly #network: boolean;
  readonly #spawned: Spawned;
  readonly #holder: ProcessIdentity;

  private constructor(options: CompartmentOptions, spawned: Spawned, holder: ProcessIdentity) {
    this.folder = options.folder;
    this.#nsenter = options.nsenter;
    this.#network = options.policy.settings.network === 'none';
    this.#spawned = spawned;
    this.#holder = holder;
  }

  static async start(options: CompartmentOptions): Promise<Compartment | LaunchFailure> {
    await makeFolder(options.folder, 0o700);
    // Mounting follows links, so the path is spelled without any.
    const order = { ...options, folder: await realpath(options.folder) };
    const { env, pipes } = options;
    const spawned = await spawnPlanned({ argv: argumentsOf(order), env, pipes, cwd: '/', stdin: 'pipe', channels: 1 });
    if (spawned instanceof Error) return { kind: 'failure', message: spawned.message, detail: '' };
    const detail = collect(spawned);
    const [status] = spawned.channels;
    if (!status) throw new Error('The status descriptor is missing');
    const pid = await readStatus(status).init;
    const holder = pid === undefined ? undefined : identityOf(pid);
    if (holder && (await answers(spawned))) return new Compartment(order, spawned, holder);
    if (holder) signalTo(holder, 'SIGKILL');
    spawned.child.kill('SIGKILL');
    return { kind: 'failure', message: 'A Compartment could not be made', detail: await detail };
  }

  get isAlive(): boolean {
    return isAlive(this.#holder);
  }

  /** What goes before a launch so that it starts inside. */
  get enter(): readonly string[] {
    const network = this.#network ? ['-n'] : [];
    return [
      this.#nsenter,
      '-U',
      '-m',
      ...network,
      '-i',
      '--preserve-credentials',
      '-t',
      String(this.#holder.pid),
      '--',
    ];
  }

  /** The temp as the host reaches it. */
  get tempRoot(): string {
    return `/proc/${this.#holder.pid}/root${this.folder}`;
  }

  async close(): Promise<void> {
    const { child, stdin, stdout, stderr, channels } = this.#spawned;
    signalTo(this.#holder, 'SIGKILL');
    child.kill('SIGKILL');
    await exitOf(child);
    for (const stream of [stdin, stdout, stderr, ...channels]) stream?.destroy();
    if (!(await until(() => !this.isAlive, 15_000)))
      throw new Error(`The Compartment ${this.#holder.pid} does not end`);
  }
}

/** Two policies with the same key share a Compartment; a change of what it is built from makes a new one. */
export function compartmentKey(policy: SandboxPolicy, runtime: readonly string[]): string {
  const { network, limits } = policy.settings;
  return JSON.stringify([network, limits.tempBytes, carriersOf(policy, runtime)]);
}

function argumentsOf({ bwrap, folder, policy, runtime }: CompartmentOptions): string[] {
  return [
    [bwrap, '--unshare-user', '--unshare-ipc', ...(policy.settings.network === 'none' ? ['--unshare-net'] : [])],
    ['--die-with-parent', '--dev-bind', '/', '/'],
    ['--perms', '1777', '--size', String(policy.settings.limits.tempBytes), '--tmpfs', folder],
    // Made before any code of an agent runs, so that no launch makes anything in the temp or follows a link in it.
    carriersOf(policy, runtime).flatMap((path) => ['--perms', '0755', '--dir', folder + path.slice('/tmp'.length)]),
    ['--json-status-fd', '3', '--', 'cat'],
  ].flat();
}

function carriersOf(policy: SandboxPolicy, runtime: readonly string[]): readonly string[] {
  return carriers([...boundRoots(policy), ...runtime]);
}

/** The holder is a `cat`: it says back what it is told, once its namespaces and mounts are made. */
function answers({ stdin, stdout }: Spawned): Promise<boolean> {
  const answered = Promise.withResolvers<boolean>();
  stdout.once('data', () => answered.resolve(true));
  void closing(stdout).then(() => answered.resolve(false));
  stdin?.write('.');
  return answered.promise;
}

function collect({ stderr }: Spawned): Promise<string> {
  let text = '';
  stderr.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-4096)));
  return closing(stderr).then(() => text.trim());
}
