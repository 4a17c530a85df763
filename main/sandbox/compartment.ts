import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { carriers } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { identityOf, isAlive, signalTo } from '../process/identity.ts';
import { until } from '../process/until.ts';
import { spawnPlanned } from './descriptors.ts';
import type { Variables } from './environment.ts';
import type { LaunchFailure } from './launcher.ts';
import { readStatus } from './status.ts';
import type { ChildProcess } from 'node:child_process';
import type { ProcessIdentity } from '../../app/sandbox/provider.ts';

export interface CompartmentOptions {
  readonly bwrap: string;
  readonly nsenter: string;
  /** An empty folder of ours: on the host it stays empty, in the Compartment it is the temp. */
  readonly folder: string;
  readonly env: Variables;
  readonly policy: SandboxPolicy;
  readonly runtime: readonly string[];
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
  readonly #child: ChildProcess;
  readonly #holder: ProcessIdentity;

  private constructor(options: CompartmentOptions, child: ChildProcess, holder: ProcessIdentity) {
    this.folder = options.folder;
    this.#nsenter = options.nsenter;
    this.#network = options.policy.settings.network === 'none';
    this.#child = child;
    this.#holder = holder;
  }

  static async start(options: CompartmentOptions): Promise<Compartment | LaunchFailure> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const child = spawnPlanned({ argv: argumentsOf(options), env: options.env, cwd: '/', stdin: 'pipe', pipes: 1 });
    const failed = new Promise<Error>((resolve) => child.once('error', resolve));
    if (child.pid === undefined) return { kind: 'failure', message: (await failed).message, detail: '' };
    const detail = collect(child);
    const status = child.stdio[3];
    if (!status || !('setEncoding' in status)) throw new Error('The status descriptor is missing');
    const pid = await readStatus(status).init;
    const holder = pid === undefined ? undefined : identityOf(pid);
    if (holder && (await answers(child))) return new Compartment(options, child, holder);
    child.kill('SIGKILL');
    if (holder) signalTo(holder, 'SIGKILL');
    return { kind: 'failure', message: 'A Compartment could not be made', detail: await detail };
  }

  get isAlive(): boolean {
    return isAlive(this.#holder);
  }

  /** What goes before a launch so that it starts inside. */
  get enter(): readonly string[] {
    const network = this.#network ? ['-n'] : [];
    return [this.#nsenter, '-U', '-m', ...network, '-i', '--preserve-credentials', '-t', String(this.#holder.pid), '--'];
  }

  /** The temp as the host reaches it. */
  get tempRoot(): string {
    return `/proc/${this.#holder.pid}/root${this.folder}`;
  }

  async close(): Promise<void> {
    signalTo(this.#holder, 'SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
    for (const stream of this.#child.stdio) stream?.destroy();
    if (!(await until(() => !this.isAlive, 15_000))) throw new Error(`The Compartment ${this.#holder.pid} does not end`);
  }
}

/** Two policies with the same key share a Compartment; a change of what it is built from makes a new one. */
export function compartmentKey(policy: SandboxPolicy, runtime: readonly string[]): string {
  const { network, limits } = policy.settings;
  return JSON.stringify([network, limits.tempBytes, carriersOf(policy, runtime)]);
}

function argumentsOf({ bwrap, folder, policy, runtime }: CompartmentOptions): string[] {
  return [
    ...[bwrap, '--unshare-user', '--unshare-ipc', ...(policy.settings.network === 'none' ? ['--unshare-net'] : [])],
    ...['--die-with-parent', '--dev-bind', '/', '/'],
    ...['--perms', '1777', '--size', String(policy.settings.limits.tempBytes), '--tmpfs', folder],
    // Made before any code of an agent runs, so that no launch makes anything in the temp or follows a link in it.
    ...carriersOf(policy, runtime).flatMap((path) => ['--perms', '0755', '--dir', folder + path.slice('/tmp'.length)]),
    ...['--json-status-fd', '3', '--', 'cat'],
  ];
}

function carriersOf(policy: SandboxPolicy, runtime: readonly string[]): readonly string[] {
  return carriers([policy.workspace.path, ...policy.settings.writableRoots, ...runtime]);
}

/** The holder is a `cat`: it says back what it is told, once its namespaces and mounts are made. */
async function answers({ stdin, stdout }: ChildProcess): Promise<boolean> {
  if (!stdin || !stdout) return false;
  stdin.on('error', () => undefined);
  stdin.write('.');
  const answer = new Promise<boolean>((resolve) => {
    stdout.once('data', () => resolve(true));
    stdout.once('close', () => resolve(false));
  });
  return answer;
}

function collect({ stderr }: ChildProcess): Promise<string> {
  const collected = Promise.withResolvers<string>();
  let text = '';
  stderr?.setEncoding('utf8');
  stderr?.on('data', (chunk: string) => (text = (text + chunk).slice(-4096)));
  stderr?.once('close', () => collected.resolve(text.trim()));
  return collected.promise;
}
