import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { isolation, mounts, type Temp } from './arguments.ts';
import { isBuilt } from './build.ts';
import type { Compartment } from './compartment.ts';
import type { Variables } from './environment.ts';
import type { Footing } from './ground.ts';
import { launch, type LaunchFailure, type Launched } from './launcher.ts';
import { hardLimits, limitArguments } from './limits.ts';
import { seccompFilter } from './seccomp.ts';
import { surveyOf } from './survey.ts';

export interface Confinement {
  readonly policy: SandboxPolicy;
  /** Undefined: the launch has a temp and a loopback of its own. */
  readonly compartment: Compartment | undefined;
  readonly runtime: readonly string[];
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Variables;
  readonly stdin: 'ignore' | 'pipe';
  readonly channels: number;
}

/** One confined launch on this footing, from the policy to a running command (sandbox.md, The bubblewrap launch). */
export async function confine(
  footing: Footing,
  { policy, compartment, runtime, argv, cwd, env, stdin, channels }: Confinement,
  signal: AbortSignal,
): Promise<Launched | LaunchFailure> {
  const temp: Temp = compartment ? { kind: 'shared', folder: compartment.folder } : { kind: 'own' };
  const order = { policy, temp, survey: await surveyOf(policy, runtime) };
  const { unixSockets, network, limits } = policy.settings;
  // With the host's network its abstract sockets would be reached too, and no mask covers those.
  const allowed = unixSockets === 'private' && network === 'none';
  return launch(
    {
      argv: (filter, status) => [
        ...footing.lastKept,
        ...(compartment?.enter ?? []),
        ...[footing.bwrap, ...isolation(policy, temp), ...mounts(order), '--chdir', cwd],
        ...['--seccomp', String(filter), '--json-status-fd', String(status), '--'],
        ...[footing.prlimit, ...limitArguments(limits, hardLimits()), '--', ...argv],
      ],
      env,
      stdin,
      channels,
      filter: seccompFilter({ architecture: footing.architecture, unixSockets: allowed }),
      isBuilt: (init) => isBuilt(init, order),
    },
    signal,
  );
}
