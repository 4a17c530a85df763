import { it } from 'vitest';
import { World } from './world.fixture.ts';
it('x', async () => {
  const w = await World.open({ budgets: { busyMs: 400, wallMs: 4000, outputBytes: 100_000 } });
  const s = await w.session();
  await s.run('globalThis.info = process.getActiveResourcesInfo.bind(process); process.getActiveResourcesInfo = 1');
  for (const c of ['info()', 'void tools.hang(0); for (;;) {}', 'info()', 'void tools.hang(0); for (;;) await new Promise((r) => setImmediate(r))', 'info()']) { const t = performance.now(); console.log(c, JSON.stringify(await s.run(c)), performance.now() - t); }
  await w.close();
}, 20000);
