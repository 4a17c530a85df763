import { describe, expect, it } from 'vitest';
import { cleanup, cleanupEnded, logged, mode, result, said, turnStart } from '../header/log.fixture.ts';
import { endsOf, isPast } from './ends.ts';

const environment = { what: 'environment', id: 'e1', pid: 7 } as const;
const command = { what: 'command', id: 'c1', pid: 8 } as const;
const STOPPING = [environment, command].map((item) => ({ ...item, title: '', mode: 'workspace-write' }) as const);
const ASKED = [cleanup('k1', environment), cleanup('k2', command)];
const SWITCH = mode('read-only');

describe('endsOf', () => {
  it('counts only what the log says after the switch', () => {
    const before = [cleanup('k1', environment), cleanupEnded('k1')];
    const log = logged(...before, SWITCH, cleanup('k2', command), cleanupEnded('k2'));
    expect(endsOf(STOPPING, log, 2)).toEqual({ ended: 1, failed: 0 });
  });

  it('has nothing ended while a cleanup is asked and not over', () => {
    expect(endsOf(STOPPING, logged(SWITCH, ...ASKED), 0)).toEqual({ ended: 0, failed: 0 });
  });

  it('tells a failed one, until another attempt succeeds', () => {
    const log = logged(SWITCH, ...ASKED, cleanupEnded('k1', 'still alive'), cleanupEnded('k1'), cleanupEnded('k2'));
    expect(endsOf(STOPPING, log.slice(0, 4), 0)).toEqual({ ended: 0, failed: 1 });
    expect(endsOf(STOPPING, log, 0)).toEqual({ ended: 2, failed: 0 });
  });
});

describe('isPast', () => {
  it('is so with the next message or turn, not with what the switch itself brings', () => {
    const own = [SWITCH, ...ASKED, cleanupEnded('k1'), result('c1')];
    expect(isPast(logged(...own), 0)).toBe(false);
    expect(isPast(logged(...own, said('next')), 0)).toBe(true);
    expect(isPast(logged(SWITCH, turnStart(2)), 0)).toBe(true);
    expect(isPast(logged(said('before'), SWITCH), 1)).toBe(false);
  });
});
