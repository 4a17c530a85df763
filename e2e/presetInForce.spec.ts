import type { Page } from '@playwright/test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../app/base/id.ts';
import { openDoor, type Door } from './fixtures/door.ts';
import { armed, choose, selector } from './fixtures/presets.ts';
import type { Answer } from './fixtures/session.ts';
import { expect, test } from './fixtures/test.ts';

test('7-f: both windows, the log and what a program may do agree, whoever changed the Mode', async ({
  app,
  ui,
  session,
  door,
  workspace,
}) => {
  test.setTimeout(90_000);
  const { id } = await session({ script: probes(4) });
  const second = await app.openWindow();
  await show([second], id);
  const before = { id, workspace, windows: [ui, second], door };

  await choose(ui, 'Read only');
  await expectAgreement(before, 0, { text: 'Read only', mode: 'read-only', policy: 'ask' });

  await choose(second, 'Full access');
  await armed(second).click();
  await expectAgreement(before, 1, { text: 'Full access', mode: 'danger-full-access', policy: 'never' });

  await door.request('mode.set', { sessionId: id, mode: 'workspace-write' });
  await expectAgreement(before, 2, { text: 'Custom', mode: 'workspace-write', policy: 'never' });

  const windows = [await app.restart(), await app.openWindow()];
  await show(windows, id);
  const anew = await openDoor(windows[0] ?? ui);
  const after = { id, workspace, windows, door: anew };
  await expectAgreement(after, 3, { text: 'Custom', mode: 'workspace-write', policy: 'never' });

  const { sessionId } = await anew.request('session.create', { workspace });
  const { view } = await anew.request('session.open', { sessionId });
  expect(view).toMatchObject({ preset: 'workspace-write', mode: 'workspace-write', policy: 'ask' });
  await anew.close();
});

/** Every prompt lets it try one write inside the workspace and one outside. */
function probes(count: number): readonly Answer[] {
  return Array.from({ length: count }, (_, at) => [
    { calls: [writing(`i${at}`, `inside-${at}`), writing(`o${at}`, `../outside-${at}`)] },
    { text: 'Tried.' },
  ]).flat();
}

function writing(id: string, path: string) {
  return { id, tool: 'bash', input: { command: `echo x > ${path}` } };
}

interface Watched {
  readonly id: SessionId;
  readonly workspace: string;
  readonly windows: readonly Page[];
  readonly door: Door;
}

interface InForce {
  readonly text: string;
  readonly mode: 'read-only' | 'workspace-write' | 'danger-full-access';
  readonly policy: 'ask' | 'never';
}

/** What each window says, what the log says last, and what the next probe is able to do. */
async function expectAgreement({ id, workspace, windows, door }: Watched, probe: number, inForce: InForce) {
  const { text, mode, policy } = inForce;
  for (const page of windows) await expect(selector(page)).toHaveText(text);
  const { events } = await door.request('session.events', { sessionId: id, from: 0, to: 1000 });
  expect(events.findLast((event) => event.type === 'sandbox/mode')?.data).toMatchObject({ mode });
  expect(events.findLast((event) => event.type === 'approval/policy')?.data).toMatchObject({ policy });
  await door.request('session.prompt', { sessionId: id, text: 'Try' });
  await door.request('session.idle', { sessionId: id });
  expect({
    inside: existsSync(join(workspace, `inside-${probe}`)),
    outside: existsSync(join(workspace, '..', `outside-${probe}`)),
  }).toEqual({ inside: mode !== 'read-only', outside: mode === 'danger-full-access' });
  for (const page of windows) await expect(selector(page)).toHaveText(text);
}

async function show(windows: readonly Page[], id: SessionId): Promise<void> {
  for (const page of windows) {
    await page.evaluate((sessionId) => {
      location.hash = `#/session/${sessionId}`;
      location.reload();
    }, id);
    await expect(selector(page)).toBeVisible();
  }
}
