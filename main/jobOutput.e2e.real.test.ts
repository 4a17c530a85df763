import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JobId } from '../app/base/id.ts';
import { createWorld, type World } from './core.fixture.ts';

let world: World;
beforeEach(async () => (world = await createWorld()));
afterEach(() => world.close());

it('a door reads what a job has printed page by page, also once it is over', async () => {
  const text = 'for i in $(seq 20000); do echo "line $i: ä"; done';
  const session = await world.turns([[{ id: 'a', tool: 'job_start', input: { title: 'Prints', command: text } }]]);
  await session.one();
  const { jobId } = await world.until(({ push, data }) => push === 'job' && data.job.state === 'ended' && data.job);
  const pages: string[] = [];
  for (let from = 0, last = false; !last;) {
    const page = await world.request('job.output', { jobId, from });
    expect(page).toMatchObject({ from, dropped: 0 });
    pages.push(page.text);
    ({ next: from, last } = page);
  }
  expect(pages.length).toBeGreaterThan(3);
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}: ä\n`);
  expect(pages.join('')).toBe(lines.join(''));
});

it('a door is told that the output of a job that nobody lists is not kept', async () => {
  const asked = world.request('job.output', { jobId: 'j_unknown' as JobId });
  await expect(asked).rejects.toMatchObject({ code: 'not-found' });
});
