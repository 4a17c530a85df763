import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { spawn, type ChildProcess } from 'node:child_process';
import type { Variables } from './environment.ts';

const O_CLOEXEC = 0o2000000;

export interface Plan {
  readonly argv: readonly string[];
  readonly env: Variables;
  readonly cwd: string;
  readonly stdin: 'ignore' | 'pipe';
  /** Descriptors 3, 4, … of the child, each a two-way pipe to us. */
  readonly pipes: number;
}

/**
 * Starts a program that inherits exactly the descriptors of its plan. Close-on-exec is not enough, because only what Node
 * opened itself has it: whatever else would be inherited is `/dev/null` in the child. The look and the start are one
 * synchronous step. The child leads a session of its own, so a signal to our terminal is not one to it.
 */
export function spawnPlanned({ argv, env, cwd, stdin, pipes }: Plan): ChildProcess {
  const [program = '', ...rest] = argv;
  const nothing = openSync('/dev/null', 'r+');
  try {
    const stdio: ('ignore' | 'pipe' | number)[] = [stdin, 'pipe', 'pipe', ...Array<'pipe'>(pipes).fill('pipe')];
    for (const leaked of inheritable()) {
      if (leaked < stdio.length) continue;
      while (stdio.length < leaked) stdio.push('ignore');
      stdio.push(nothing);
    }
    return spawn(program, rest, { env, cwd, stdio, detached: true });
  } finally {
    closeSync(nothing);
  }
}

/** Descriptors above 2 that a child would inherit, in order. */
export function inheritable(): readonly number[] {
  const open = readdirSync('/proc/self/fd').map(Number);
  return open.filter((descriptor) => descriptor > 2 && !closesOnExec(descriptor)).toSorted((a, b) => a - b);
}

function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
    return (Number.parseInt(flags?.[1] ?? '0', 8) & O_CLOEXEC) !== 0;
  } catch {
    return true; // It was the descriptor of the listing itself, closed by now.
  }
}
