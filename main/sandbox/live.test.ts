import { describe, expect, it } from 'vitest';
import type { Closed, Exit } from '../../app/sandbox/provider.ts';
import { Live, type Owned } from './live.ts';
import { NO_PROTECTION } from './protection.ts';

const EXIT: Exit = { exitCode: null, signal: 'SIGKILL' };
const GONE: Closed = { ok: true, exit: EXIT };
const STUCK: Closed = { ok: false, phase: 'killing', error: 'still alive' };

/** A process of nobody; what is done with it is in the trace. */
function fake(trace: string[], attempts: Closed[] = []) {
  const gone = Promise.withResolvers<Exit>();
  const process = {
    kind: 'process',
    closed: gone.promise,
    protection: NO_PROTECTION,
    abandon: () => void trace.push('abandon'),
    close: async () => {
      trace.push('close');
      const closed = attempts.shift() ?? GONE;
      if (closed.ok) gone.resolve(closed.exit);
      return closed;
    },
  };
  return process as unknown as Owned; // Live asks nothing else of it.
}

/** A launch that is given up while it comes up. */
function givenUp(live: Live, process: Owned) {
  const controller = new AbortController();
  const launch = async () => {
    controller.abort(new Error('given up'));
    return process;
  };
  return live.start('s1', launch, controller.signal);
}

describe('a launch that is given up while it comes up', () => {
  it('is killed before its end is waited for, and fails with why it was given up', async () => {
    const trace: string[] = [];
    await expect(givenUp(new Live(), fake(trace))).rejects.toThrow('given up');
    expect(trace).toEqual(['abandon', 'close']);
  });

  it('comes up after all where it could not be ended: whoever asked for it has to know of it', async () => {
    const process = fake([], [STUCK]);
    expect(await givenUp(new Live(), process)).toBe(process);
  });

  it('stays among what is ended with its owner, where it could not be ended', async () => {
    const live = new Live();
    const trace: string[] = [];
    await givenUp(live, fake(trace, [STUCK, STUCK]));
    await expect(live.end('s1')).rejects.toThrow('did not end');
    await live.end('s1');
    expect(trace).toEqual(['abandon', 'close', 'close', 'close']);
    await live.close();
    expect(trace).toHaveLength(4);
  });

  it('that fails where it could not be ended with a provider that closes is told by that close', async () => {
    const live = new Live();
    const coming = Promise.withResolvers<Owned>();
    const started = live.start('s1', () => coming.promise, new AbortController().signal);
    const closing = live.close();
    coming.resolve(fake([], [STUCK, STUCK]));
    await expect(closing).rejects.toThrow('did not end');
    expect(await started).toMatchObject({ kind: 'process' });
  });
});
