import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Push } from '../app/contract/pushes.ts';
import { after } from './base/after.ts';
import { command, createWorld, escalate, type World } from './core.fixture.ts';
import { createHandlers } from './handlers.ts';
import { MemoryHost } from './host/host.fixture.ts';
import { startNotifier } from './host/notifier.ts';
import { paced } from './paced.ts';
import { Windows, type WindowConnection } from './windows.ts';

interface Window {
  readonly connection: WindowConnection;
  readonly told: Push[];
}

let world: World;
let windows: readonly Window[];
let stop: () => void;

beforeEach(async () => {
  // Nobody but the windows answers.
  world = await createWorld({ attended: false });
  const { core } = world;
  const host = new MemoryHost();
  const onFault = (fault: unknown) => void world.faults.push(fault);
  const all = new Windows({ core, source: paced(core, { after }), handlers: createHandlers(core, host), onFault });
  windows = ['window-1', 'window-2', 'window-3'].map((name) => {
    const told: Push[] = [];
    // Made by the door a moment ago.
    return { told, connection: all.connect(name, async (json) => void told.push(JSON.parse(json) as Push)) };
  });
  const notify = (data: Extract<Push, { push: 'note' }>['data']) => void all.tellOne({ push: 'note', data });
  stop = startNotifier(core, { notify, badge: (count) => host.badge(count) });
});

afterEach(async () => {
  stop();
  for (const { connection } of windows) connection.close();
  await world.close();
});

const notes = () => windows.flatMap(({ told }) => told.flatMap((push) => (push.push === 'note' ? [push.data] : [])));

it('9-e: with three windows each event is one note, and a question answered in one of them is over in all', async () => {
  const session = await world.turns([[command('a', 'echo hidden-command', escalate('danger-full-access'))]]);
  await session.begin();
  const { approvalId } = await session.asked('a');
  await expect.poll(notes).toMatchObject([{ noteId: approvalId, kind: 'approval-needed', sessionId: session.id }]);

  const reply = await windows[1]?.connection.answer('approval.decide', { approvalId, decision: 'deny' });
  expect(reply).toMatchObject({ ok: true, output: { settled: true } });
  const decided = ({ told }: Window) =>
    told.some(
      ({ push, data }) => push === 'approval' && data.change === 'decided' && data.approval.approvalId === approvalId,
    );
  await expect.poll(() => windows.map(decided)).toEqual([true, true, true]);
  expect(await session.idle()).toBe('completed');
  await expect
    .poll(notes)
    .toMatchObject([
      { noteId: approvalId },
      { noteId: approvalId, withdrawn: true },
      { noteId: `run-${session.id}-1`, kind: 'run-ended' },
    ]);
  expect(JSON.stringify(notes())).not.toContain('hidden-command');
});
