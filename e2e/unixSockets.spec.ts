import { axe } from './fixtures/axe.ts';
import { openSettings } from './fixtures/settings.ts';
import { fileOf, read } from './fixtures/settings.ts';
import { expect, test } from './fixtures/test.ts';

const LISTEN = `node -e "require('net').createServer().listen('s.sock', function () { console.log('bound'); this.close() })"`;
const call = (id: string) => ({ calls: [{ id, tool: 'bash', input: { command: LISTEN } }] });

test('a card that says that Unix sockets are blocked leads to the setting, and the next command may have one', async ({
  ui,
  app,
  session,
}) => {
  const made = await session({ script: [call('c1'), { text: 'No.' }, call('c2'), { text: 'Yes.' }], prompt: 'Go' });
  await made.until('turn/end');
  const card = ui.locator('[data-region="transcript"] [data-call="c1"]');
  await card.locator('.t-card-head').click();
  await expect(card).toContainText('Unix sockets are blocked in this workspace.');
  await card.getByRole('button', { name: 'Setting of this workspace…' }).click();

  const row = ui.locator(`[data-workspace="${made.workspace}"]`);
  await expect(row).toBeInViewport();
  await expect(row.getByRole('radio', { name: 'Blocked' })).toBeFocused();
  expect(await axe(ui)).toEqual([]);
  await row.getByText('Private', { exact: true }).click();
  await expect(row).toContainText('Processes of one Session can use them among themselves.');
  await expect
    .poll(() => read(fileOf(app)))
    .toMatchObject({ workspaces: { [made.workspace]: { launch: { unixSockets: 'private' } } } });

  await made.open(ui);
  await made.prompt('Again');
  await made.until('turn/end', 2);
  const again = ui.locator('[data-region="transcript"] [data-call="c2"]');
  await again.locator('.t-card-head').click();
  await expect(again).toContainText('bound');
  await expect(again).not.toContainText('Unix sockets are blocked');
});

test('the settings list each workspace that has its own, and say so where none has', async ({ ui, door }) => {
  await openSettings(ui);
  await expect(ui.locator('.settings')).toContainText('No workspace has settings of its own.');
  const { revision } = await door.request('settings.get', {});
  const workspaces = { '/somewhere/else': { launch: { unixSockets: 'private' } } };
  await door.request('settings.set', { revision, changes: { workspaces } });
  const row = ui.locator('[data-workspace="/somewhere/else"]');
  await expect(row.getByRole('radio', { name: 'Private' })).toBeChecked();
});
