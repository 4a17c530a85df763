import { describe, expect, it } from 'vitest';
import { DuplicateIdError, Registry, type Announcer } from './registry.ts';
import { prepare } from './session.fixture.ts';
import type { Session } from './session.ts';
import { mode, said } from './talk.fixture.ts';

const pinning: Announcer = {
  announced: (session) => void session.append(mode('read-only')),
  disposed: () => undefined,
};

function watching(edges: string[], name: string): Announcer {
  return {
    announced: (session) => void edges.push(`${name} + ${session.id}`),
    disposed: (session) => void edges.push(`${name} - ${session.id}`),
  };
}

const ignore = (): undefined => undefined;

describe('registry', () => {
  it('pins first, so that the pins are in the first batch with what was appended before', async () => {
    const { session, writer } = prepare();
    const seen: number[] = [];
    const registry = new Registry(pinning);
    registry.subscribe({ announced: (live) => void seen.push(live.length), disposed: ignore });
    session.append(said('admitted'));
    registry.create(session);
    await session.flush();
    expect(seen).toEqual([2]);
    expect(writer.batches.map((batch) => batch.map(({ type }) => type))).toEqual([['user/message', 'sandbox/mode']]);
    expect(registry.get(session.id)).toBe(session);
  });

  it('SES-10: refuses a second live Session of one id and leaves the first untouched', async () => {
    const edges: string[] = [];
    const registry = new Registry(pinning);
    registry.subscribe(watching(edges, 'w'));
    const [first, second] = [prepare(), prepare()];
    registry.create(first.session);
    expect(() => registry.create(second.session)).toThrow(DuplicateIdError);
    expect(registry.get(first.session.id)).toBe(first.session);
    expect(edges).toEqual(['w + s_test']);
    first.session.append(said('still alive'));
    await first.session.flush();
    await second.session.close();
    expect([first.writer.events.length, second.writer.events.length]).toEqual([2, 0]);
  });

  it('SES-9: an announcement that throws takes the creation back, with an end for each beginning', async () => {
    const edges: string[] = [];
    const registry = new Registry(pinning);
    registry.subscribe(watching(edges, 'first'));
    const throwing = watching(edges, 'throwing');
    registry.subscribe({
      ...throwing,
      announced: (session) => {
        throwing.announced(session);
        throw new Error('cannot take it');
      },
    });
    registry.subscribe(watching(edges, 'never told'));
    const { session, writer, timers } = prepare();
    expect(() => registry.create(session)).toThrow('cannot take it');
    expect(edges).toEqual(['first + s_test', 'throwing + s_test', 'throwing - s_test', 'first - s_test']);
    expect([registry.get(session.id), registry.all().length]).toEqual([undefined, 0]);
    await timers.pass(1000);
    await session.close();
    expect([writer.batches.length, writer.closed]).toEqual([0, 1]);
  });

  it('can take a creation back when pinning itself throws', () => {
    const registry = new Registry({
      announced: () => {
        throw new Error('no preset');
      },
      disposed: ignore,
    });
    expect(() => registry.create(prepare().session)).toThrow('no preset');
    expect(registry.all()).toEqual([]);
  });

  it('tells of the end in reverse order, then writes and closes, and only then is the id free', async () => {
    const edges: string[] = [];
    const registry = new Registry(pinning);
    registry.subscribe(watching(edges, 'a'));
    registry.subscribe({
      ...watching(edges, 'b'),
      disposed: (session: Session) => {
        edges.push('b -');
        session.append(said('last words'));
        throw new Error('broken');
      },
    });
    const { session, writer } = prepare();
    registry.create(session);
    const faults: unknown[] = [];
    const removing = registry.remove(session, (fault) => void faults.push(fault));
    expect(() => registry.create(prepare().session)).toThrow(DuplicateIdError);
    await removing;
    expect(edges).toEqual(['a + s_test', 'b + s_test', 'b -', 'a - s_test']);
    expect(faults).toEqual([new Error('broken')]);
    expect([writer.events.length, writer.closed, registry.all().length]).toEqual([2, 1, 0]);
  });
});
