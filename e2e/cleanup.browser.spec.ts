import type { CleanupId, SessionId } from '../app/base/id.ts';
import type { Cleanup } from '../app/cleanup/cleanup.ts';
import type { Push } from '../app/contract/pushes.ts';
import { RUNS_ON, running } from './fixtures/presets.ts';
import { expect, test } from './fixtures/test.ts';

// No process of this machine outlives a KILL on purpose, so that one did is told on the wire, in the words of main.

const failed = (sessionId: SessionId): Cleanup => ({
  cleanupId: 'k_stubborn' as CleanupId,
  sessionId,
  what: 'command',
  id: 'c1',
  title: 'sleep 1000',
  pid: 4711,
  mode: 'danger-full-access',
  cause: { kind: 'stop' },
  phase: 'killing',
  attempts: 2,
  since: 0,
  failed: { error: 'It is alive 5 s after KILL.' },
});

test('an ending that failed is seen from everywhere, says where and why, and Retry asks for it again', async ({
  ui,
  session,
}) => {
  const asked: unknown[] = [];
  let tell: (push: Push) => void = () => undefined;
  await ui.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      asked.push(JSON.parse(String(message)));
      server.send(message);
    });
    tell = (push) => socket.send(JSON.stringify(push));
  });
  const made = await session({ script: RUNS_ON, prompt: 'Go' });
  await running(made);
  await ui.reload();
  await expect(ui.locator('.head')).toContainText('1 Environment');
  tell({ push: 'cleanup', data: { cleanup: failed(made.id) } });

  const place = ui.locator('.side').getByRole('button', { name: 'Cleanup' });
  await expect(place).toContainText('1 failed');
  await ui.locator('.head').getByRole('button', { name: 'Cleanup failed' }).click();
  const row = ui.locator('[data-cleanup="k_stubborn"]');
  await expect(row).toContainText('failed: KILL sent');
  await expect(row).toContainText('It is alive 5 s after KILL.');
  await expect(row).toContainText('2 attempts');
  await expect(row).toContainText('stopped');
  await row.getByRole('button', { name: 'Retry' }).click();
  await expect(row.getByRole('status')).toContainText(/no cleanup|not found|There is no/i);
  expect(asked).toContainEqual(
    expect.objectContaining({ request: 'cleanup.retry', input: { cleanupId: 'k_stubborn' } }),
  );

  const { failed: _over, ...again } = failed(made.id);
  tell({ push: 'cleanup', data: { cleanup: { ...again, phase: 'terminating' } } });
  await expect(row).toHaveAttribute('data-phase', 'terminating');
  await expect(row.getByRole('button', { name: 'Retry' })).toBeHidden();
});
