import { expect, it } from 'vitest';
import { soak } from './soak.fixture.ts';

const FULL = { sessions: 20, switches: 200, seed: 20_261_201 };
/** Runs with all the other tests. The whole of it is `npm run soak`. */
const BRIEF = { sessions: 6, switches: 40, seed: 20_261_201 };
const size = process.env['GATEHOUSE_SOAK'] === 'full' ? FULL : BRIEF;

it(`${size.switches} switches of the preset in ${size.sessions} busy Sessions leave no process, descriptor or temp, and every approval, call and cleanup has ended exactly once`, async () => {
  const { counts, problems } = await soak(size);
  console.log(JSON.stringify({ ...size, counts }));
  expect(problems).toEqual([]);
  expect(counts['sandbox/mode']).toBeGreaterThan(size.sessions + size.switches / 3);
  for (const type of [
    'approval/asked',
    'tool/call',
    'tool/nested-start',
    'job/started',
    'environment/started',
    'cleanup/asked',
  ])
    expect([type, counts[type]]).toEqual([type, expect.any(Number)]);
}, 600_000);
