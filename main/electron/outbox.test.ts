import { expect, it } from 'vitest';
import { Outbox } from './outbox.ts';

function setUp() {
  const sent: string[] = [];
  const breaths: PromiseWithResolvers<void>[] = [];
  const breathe = (): Promise<void> => {
    const breath = Promise.withResolvers<void>();
    breaths.push(breath);
    return breath.promise;
  };
  return { sent, breaths, outbox: new Outbox((json) => void sent.push(json), breathe) };
}

const BIG = 'x'.repeat(512 * 1024);

it('hands small pushes on without a pause, in their order', async () => {
  const { outbox, sent, breaths } = setUp();
  for (let n = 0; n < 1_000; n += 1) await outbox.deliver(String(n));
  expect(sent).toEqual(Array.from({ length: 1_000 }, (_, n) => String(n)));
  expect(breaths).toEqual([]);
});

it('takes the next only after a pause when much was sent', async () => {
  const { outbox, breaths } = setUp();
  const order: string[] = [];
  const delivered = outbox.deliver(BIG).then(() => order.push('delivered'));
  await Promise.resolve();
  order.push('paused');
  breaths[0]?.resolve();
  await delivered;
  expect(order).toEqual(['paused', 'delivered']);
  await outbox.deliver('a');
  expect(breaths).toHaveLength(1);
});

it('sends nothing while the window does not respond, and everything in order afterwards', async () => {
  const { outbox, sent } = setUp();
  outbox.hold();
  outbox.hold();
  const waiting = [outbox.deliver('a'), outbox.deliver('b')];
  await Promise.resolve();
  expect(sent).toEqual([]);
  outbox.release();
  await Promise.all(waiting);
  expect(sent).toEqual(['a', 'b']);
});

it('delivers nothing to a window that is gone, and keeps nobody waiting', async () => {
  const { outbox, sent } = setUp();
  outbox.hold();
  const waiting = outbox.deliver('a');
  outbox.close();
  outbox.hold();
  await Promise.all([waiting, outbox.deliver('b')]);
  expect(sent).toEqual([]);
});
