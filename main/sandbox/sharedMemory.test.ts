import { expect, it } from 'vitest';
import { sharedMemory } from './sharedMemory.ts';

const holders = [10, 40, 30, 20].map((most) => ({ folder: `${most}`, most }));

/** Asks with a limit, for processes that have this part of what they could have; says which were asked. */
async function asked(limit: number, part: number) {
  const order: number[] = [];
  let atOnce = 0;
  let most = 0;
  const memory = await sharedMemory(holders, limit, async (holder) => {
    most = Math.max(most, (atOnce += 1));
    order.push(holder.most);
    await Promise.resolve();
    atOnce -= 1;
    return holder.most * part;
  });
  return { memory, order, most };
}

it('asks the largest first and one at a time, until the limit is exceeded', async () => {
  expect(await asked(50, 1)).toEqual({ memory: 100, order: [40, 30], most: 1 });
});

it('asks no more once even all that the others share is within the limit', async () => {
  expect(await asked(80, 0.5)).toEqual({ memory: 80, order: [40], most: 1 });
});

it('is exact where everyone had to be asked', async () => {
  expect(await asked(25, 0.25)).toEqual({ memory: 25, order: [40, 30, 20, 10], most: 1 });
});
