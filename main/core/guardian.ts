import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { MARK } from '../process/tree.ts';
import { withoutOurs } from '../sandbox/descriptors.ts';

export interface Guardian {
  close(): Promise<void>;
}

/**
 * Stays behind for a moment when this process is killed, and ends what it leaves, known by the mark in its environment. A
 * sandbox dies with us by itself, but for one that is just being made: when its launcher dies before its init has been let
 * go, that init waits for ever. What runs under `danger-full-access` does not die with us; what has taken the mark out of
 * its environment is found by the next start through its parents, or not at all.
 */
export function startGuardian(instance: string, onFault: (fault: unknown) => void): Guardian {
  const child = start(instance);
  const ended = once(child, 'exit').catch(onFault);
  child.stdin?.on('error', () => undefined); // It may be killed by others; nothing is ever written.
  child.unref();
  let closing: Promise<void> | undefined;
  const close = async () => {
    child.ref();
    child.kill('SIGKILL');
    await ended;
    child.stdin?.destroy();
  };
  return { close: () => (closing ??= close()) };
}

/** It must not keep a lock of ours, nor the other end of its own pipe. */
function start(instance: string): ChildProcess {
  const nothing = openSync('/dev/null', 'r+');
  try {
    const stdio = withoutOurs<'pipe' | 'ignore'>(['pipe', 'ignore', 'ignore'], nothing);
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
    return spawn('/bin/sh', ['-c', SCRIPT, instance], { env, cwd: '/', stdio, detached: true });
  } finally {
    closeSync(nothing);
  }
}

/** Its input ends with us. What is being started at that moment, on a slow machine, is found by one of the later looks. */
const SCRIPT = `cat >/dev/null
looks=0
while [ $looks -lt 40 ]; do
  for environment in $(grep -ls "${MARK}=$0\\." /proc/[0-9]*/environ 2>/dev/null); do
    process=\${environment%/environ}
    kill -KILL "\${process#/proc/}" 2>/dev/null
  done
  looks=$((looks + 1))
  if [ $looks -lt 20 ]; then sleep 0.1; else sleep 0.5; fi
done`;
