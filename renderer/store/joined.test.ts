import { describe, expect, it } from 'vitest';
import { answer, chunk, log, said, stepStart } from '../transcript/log.fixture.ts';
import { joined } from './joined.ts';

describe('streamed parts of an answer', () => {
  it('become one event with the text so far and the number of the last', () => {
    const events = joined([], log([stepStart(1, 1), chunk('a'), chunk('b'), chunk('c')]));
    expect(events).toMatchObject([{ type: 'step/start' }, { seq: 3, data: { text: 'abc' } }]);
  });

  it('go on with what came before', () => {
    const first = joined([], log([chunk('a'), chunk('b')]));
    expect(joined(first, log([chunk('c')], 2))).toMatchObject([{ seq: 2, data: { text: 'abc' } }]);
    expect(first).toMatchObject([{ seq: 1, data: { text: 'ab' } }]);
  });

  it('of two steps are not one', () => {
    expect(joined([], log([chunk('a', 1, 1), chunk('b', 1, 2)]))).toHaveLength(2);
  });

  it('go when the whole answer is there, also those that something came between', () => {
    const events = joined([], log([stepStart(1, 1), chunk('a'), said('x', true), chunk('b'), answer('ab')]));
    expect(events.map(({ type }) => type)).toEqual(['step/start', 'user/message', 'assistant/message']);
  });

  it('of an answer that never came stay', () => {
    const events = joined([], log([chunk('a', 1, 1), stepStart(2, 1), chunk('b', 2, 1), answer('b', 2, 1)]));
    expect(events.map(({ type }) => type)).toEqual(['assistant/chunk', 'step/start', 'assistant/message']);
  });
});
