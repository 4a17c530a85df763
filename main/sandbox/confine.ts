import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { isolation, mounts, type Temp } from './arguments.ts';
import { buildFault } from './build.ts';
import type { Compartment } from './compartment.ts';
import type { Plan } from './descriptors.ts';
import type { Footing } from './ground.ts';
import { launch, type LaunchFailure, type Launched } from './launcher.ts';
import { hardLimits, limitArguments } from './limits.ts';
import { seccompFilter } from './seccomp.ts';
import type { Survey } from './survey.ts';

export interface Confinement extends Plan {
  readonly policy: SandboxPolicy;
  /** Undefined: the launch has a temp and a loopback of its own. */
  readonly compartment: Compartment | undefined;
  readonly survey: Survey;
}

/** One confined launch on this footing, from the policy to a running command (sandbox.md, The bubblewrap launch). */
export async function confine(
  footing: Footing,
  { policy, compartment, survey, argv, cwd, ...plan }: Confinement,
  signal: AbortSignal,
): Promise<Launched | LaunchFailure> {
  const temp: Temp = compartment ? { kind: 'shared', folder: compartment.folder } : { kind: 'own' };
  const order = { policy, temp, survey };
  const { unixSockets, network, limits } = policy.settings;
  // With the host's network its abstract sockets would be reached too, and no mask covers those.
  const allowed = unixSockets === 'private' && network === 'none';
  return launch(
    {
      argv: (filter, status) =>
        [
          compartment?.enter ?? [],
          [footing.bwrap, ...isolation(policy, temp), ...mounts(order), '--chdir', cwd],
          ['--seccomp', String(filter), '--json-status-fd', String(status), '--'],
          [footing.prlimit, ...limitArguments(limits, hardLimits()), '--', ...argv],
        ].flat(),
      ...plan,
      filter: seccompFilter({ architecture: footing.architecture, unixSockets: allowed }),
      fault: (init) => buildFault(init, order),
    },
    signal,
  );
}
