import type { ProcessIdentity } from '../../app/sandbox/provider.ts';
import { isAlive, signalTo } from './identity.ts';
import { findTree, instanceOf, markOf, processTable } from './tree.ts';
import { until } from './until.ts';

/** Instances of the app that ended without saying so; each is held until it is forgotten or released. */
export interface Dead {
  dead(): Promise<readonly DeadInstance[]>;
}

export interface DeadInstance {
  readonly id: string;
  forget(): Promise<void>;
  release(): Promise<void>;
}

/** What a crash left alive, ended now. */
export interface Reaped extends ProcessIdentity {
  readonly instance: string;
}

/** How long the kernel may take to end what is killed. */
const KILL_MS = 5000;

/**
 * Ends what dead instances left running and says what it was. Sandboxes die with the app; what runs unconfined does not,
 * and is known by the mark in its environment. An instance whose processes do not end is left for the next start.
 */
export async function reapDead(mark: Dead, onFault: (fault: unknown) => void): Promise<readonly Reaped[]> {
  const reaped: Reaped[] = [];
  for (const instance of await mark.dead()) {
    try {
      reaped.push(...(await reap(instance.id)));
      await instance.forget();
    } catch (fault) {
      onFault(fault);
      await instance.release();
    }
  }
  return reaped;
}

async function reap(instance: string): Promise<readonly Reaped[]> {
  const ended = new Map<number, Reaped>();
  const gone = () => {
    const left = leftBy(instance);
    for (const process of left) {
      ended.set(process.pid, { ...process, instance });
      signalTo(process, 'SIGKILL');
    }
    return left.length === 0;
  };
  if (!(await until(gone, KILL_MS))) throw new Error(`Processes of the ended instance ${instance} do not end`);
  return [...ended.values()];
}

function leftBy(instance: string): readonly ProcessIdentity[] {
  const marks = new Set([...processTable().keys()].flatMap((pid) => markOf(pid) ?? []));
  const own = [...marks].filter((mark) => instanceOf(mark) === instance);
  return own.flatMap((mark) => findTree(mark, [])).filter(isAlive);
}
