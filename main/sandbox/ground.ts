import { readFile } from 'node:fs/promises';
import type { Enforcement, ProbeReport, Unavailable } from '../../app/sandbox/provider.ts';
import type { LaunchFailure } from './launcher.ts';
import { findProgram } from './programs.ts';
import { NUMBERS, type Architecture } from './syscalls.ts';

/** The programs of this system that a confined launch stands on. */
export interface Footing {
  readonly kind: 'footing';
  readonly bwrap: string;
  readonly prlimit: string;
  /** Enters a Compartment. Undefined where entering fails: launches share nothing then. */
  readonly nsenter: string | undefined;
  readonly architecture: Architecture;
}

export interface GroundOptions {
  /** Asked at each look. */
  readonly path: () => string;
  /** Launches something harmless on this footing; the failure comes back. */
  readonly attempt: (footing: Footing) => Promise<LaunchFailure | undefined>;
}

/** What this system can do, found by doing it. A good answer is kept; a bad one is asked again at the next launch. */
export class Ground {
  readonly #options: GroundOptions;
  #found: Promise<Footing | Unavailable> | undefined;

  constructor(options: GroundOptions) {
    this.#options = options;
  }

  async footing(): Promise<Footing | Unavailable> {
    const asked = (this.#found ??= this.#probe());
    try {
      const found = await asked;
      if (found.kind === 'unavailable') this.#forget(asked);
      return found;
    } catch (fault) {
      this.#forget(asked);
      throw fault;
    }
  }

  /** A launch failed where it should not have: the next one probes again. */
  doubt(): void {
    this.#found = undefined;
  }

  async report(): Promise<ProbeReport> {
    this.doubt();
    const found = await this.footing();
    if (found.kind === 'unavailable') {
      const { message, remedy } = found;
      return { provider: 'bubblewrap', enforcement: 'none', message, ...(remedy !== undefined && { remedy }) };
    }
    const enforcement = enforcementOn(found);
    const message =
      enforcement === 'full' ? 'Confined Modes are enforced' : 'temp not shared: each command has its own';
    return { provider: 'bubblewrap', enforcement, message };
  }

  #forget(asked: Promise<unknown>): void {
    if (this.#found === asked) this.#found = undefined;
  }

  async #probe(): Promise<Footing | Unavailable> {
    const programs = await this.#find();
    if (programs.kind === 'unavailable') return programs;
    const failure = await this.#options.attempt(programs);
    if (failure === undefined) return programs;
    const alone: Footing = { ...programs, nsenter: undefined };
    const second = programs.nsenter === undefined ? failure : await this.#options.attempt(alone);
    return second === undefined ? alone : forbidden(second);
  }

  async #find(): Promise<Footing | Unavailable> {
    const names = ['bwrap', 'prlimit', 'nsenter'] as const;
    const path = this.#options.path();
    const [bwrap, prlimit, nsenter] = await Promise.all(names.map((name) => findProgram(name, path)));
    const { arch } = process;
    if (!isFiltered(arch)) return unavailable(`There is no system call filter for ${arch}`);
    if (bwrap === undefined) return missing('bwrap', 'bubblewrap');
    if (prlimit === undefined) return missing('prlimit', 'util-linux');
    return { kind: 'footing', bwrap, prlimit, nsenter, architecture: arch };
  }
}

export function enforcementOn({ nsenter }: Footing): Enforcement {
  return nsenter === undefined ? 'partial' : 'full';
}

function isFiltered(arch: string): arch is Architecture {
  return Object.hasOwn(NUMBERS, arch);
}

function missing(program: string, name: string): Unavailable {
  return unavailable(`The sandbox needs ${program}, which is not on this system`, `Install the package ${name}.`);
}

/** bubblewrap is there and was not let: the usual reasons are switches that a person can look up and set. */
async function forbidden({ message, detail }: LaunchFailure): Promise<Unavailable> {
  const switches = await Promise.all(
    SWITCHES.map(async ({ file, bad, remedy }) => ((await valueOf(file)) === bad ? remedy : undefined)),
  );
  const remedy = switches.find((found) => found !== undefined) ?? 'Allow unprivileged user namespaces for bwrap.';
  return { ...unavailable(`This system does not let bubblewrap confine anything (${message})`, remedy), detail };
}

const SWITCHES = [
  {
    file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    bad: '1',
    remedy: 'On Ubuntu, install the AppArmor profile for bwrap (package apparmor-profiles: bwrap-userns-restrict).',
  },
  {
    file: '/proc/sys/kernel/unprivileged_userns_clone',
    bad: '0',
    remedy: 'Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1.',
  },
  {
    file: '/proc/sys/user/max_user_namespaces',
    bad: '0',
    remedy: 'Allow user namespaces: sysctl user.max_user_namespaces=10000.',
  },
] as const;

async function valueOf(file: string): Promise<string | undefined> {
  // A switch that this kernel does not have is not set.
  return readFile(file, 'latin1').then(
    (text) => text.trim(),
    () => undefined,
  );
}

function unavailable(message: string, remedy?: string): Unavailable {
  return { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message, ...(remedy !== undefined && { remedy }) };
}
