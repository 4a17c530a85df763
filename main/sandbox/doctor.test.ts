import { expect, it } from 'vitest';
import type { ProbeReport } from '../../app/sandbox/provider.ts';
import { doctor } from './doctor.ts';
import { never } from './world.fixture.ts';

const probing = (report: Partial<ProbeReport>) => ({
  path: process.env['PATH'] ?? '',
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

it('says which Provider confines here and how far, and looks for nothing of another one', async () => {
  const part = { provider: 'seatbelt', enforcement: 'partial', message: 'no limits' } as const;
  expect(await check('enforcement', part)).toEqual({
    name: 'enforcement',
    ok: true,
    message: 'seatbelt, partly: no limits',
  });
  expect(await check('namespaces', part)).toMatchObject({ ok: true, message: 'no limits' });
  expect([await check('bubblewrap', part), await check('shared temp', part)]).toEqual([undefined, undefined]);
  expect(await check('enforcement', {})).toMatchObject({ message: 'bubblewrap, fully' });
  expect(await check('enforcement', { provider: 'none', enforcement: 'none' })).toMatchObject({ ok: false });
});

it('finds what this repository is tested with', async () => {
  const rows = await doctor(probing({}), never);
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
  expect(rows.map(({ name }) => name)).toEqual([
    'enforcement',
    'bubblewrap',
    'namespaces',
    'shared temp',
    'node',
    'git',
    'file locks',
    'ripgrep',
  ]);
});
