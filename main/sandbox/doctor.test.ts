import { expect, it } from 'vitest';
import type { ProbeReport } from '../../app/sandbox/provider.ts';
import { doctor } from './doctor.ts';
import { never } from './world.fixture.ts';

const probing = (report: Partial<ProbeReport>) => ({
  probe: async (): Promise<ProbeReport> => ({
    provider: 'bubblewrap',
    enforcement: 'full',
    message: 'fine',
    ...report,
  }),
});

async function check(name: string, report: Partial<ProbeReport>) {
  return (await doctor(probing(report), never)).find((row) => row.name === name);
}

it('says what forbids the sandbox, and what to do about it', async () => {
  expect(await check('namespaces', { enforcement: 'none', message: 'no', remedy: 'Do this.' })).toEqual({
    name: 'namespaces',
    ok: false,
    message: 'no',
    remedy: 'Do this.',
  });
});

it('tells a sandbox that shares no temp from one that does', async () => {
  expect(await check('shared temp', { enforcement: 'partial' })).toMatchObject({ ok: false });
  expect(await check('shared temp', { enforcement: 'full' })).toMatchObject({ ok: true });
});

it('finds what this repository is tested with', async () => {
  const rows = await doctor(probing({}), never);
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
  expect(rows.map(({ name }) => name)).toEqual([
    'bubblewrap',
    'namespaces',
    'shared temp',
    'node',
    'git',
    'file locks',
    'ripgrep',
  ]);
});
