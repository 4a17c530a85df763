import type { Locator, Page } from '@playwright/test';
import type { Answer } from './fixtures/session.ts';
import { expect, test } from './fixtures/test.ts';

const field = (page: Page): Locator => page.locator('#composer');
const queued = (page: Page): Locator => page.locator('.queued li');
const DONE: readonly Answer[] = [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }];
/** The turn stays open until the barrier is released. */
const HELD: readonly Answer[] = [{ await: 'go', text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }];

test('Enter sends, Shift+Enter makes a line, and the field is empty again', async ({ ui, session }) => {
  const made = await session({ script: DONE });
  await field(ui).pressSequentially('first line');
  await ui.keyboard.press('Shift+Enter');
  await ui.keyboard.type('second line');
  await expect(field(ui)).toHaveValue('first line\nsecond line');
  await ui.keyboard.press('Enter');
  await expect(field(ui)).toHaveValue('');
  expect((await made.until('user/message')).data.text).toBe('first line\nsecond line');
});

test('sends nothing that is blank, and a held Enter sends once', async ({ ui, session }) => {
  const made = await session({ script: DONE });
  await field(ui).fill(' \n ');
  await field(ui).press('Enter');
  await field(ui).fill('once');
  for (let held = 0; held < 5; held += 1) await ui.keyboard.down('Enter');
  await ui.keyboard.up('Enter');
  await made.until('turn/end');
  await field(ui).fill('twice');
  await field(ui).press('Enter');
  await made.until('turn/end', 2);
  expect((await made.eventsOf('user/message')).map(({ data }) => data.text)).toEqual(['once', 'twice']);
});

test('Enter that belongs to an input method sends nothing', async ({ ui, session }) => {
  const made = await session({ script: DONE });
  await field(ui).focus();
  const debuggee = await ui.context().newCDPSession(ui);
  await debuggee.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
  await expect(field(ui)).toHaveValue('ni');
  // What an input method leaves to the page of the Enter that accepts a suggestion: no character, and this code.
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 };
  await debuggee.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter });
  await debuggee.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter });
  await debuggee.send('Input.insertText', { text: '你' });
  await expect(field(ui)).toHaveValue('你');
  await ui.keyboard.press('Enter');
  await made.until('turn/end');
  expect((await made.eventsOf('user/message')).map(({ data }) => data.text)).toEqual(['你']);
});

test('a draft belongs to its Session and survives a reload', async ({ ui, session }) => {
  const one = await session({ script: DONE, title: 'One' });
  await field(ui).fill('for one');
  const two = await session({ script: DONE, title: 'Two' });
  await field(ui).fill('for two');
  await one.open(ui);
  await expect(field(ui)).toHaveValue('for one');
  await ui.reload();
  await expect(field(ui)).toHaveValue('for one');
  await ui.getByRole('treeitem', { name: 'Two' }).click();
  await expect(field(ui)).toHaveValue('for two');
  expect(await two.eventsOf('user/message')).toEqual([]);
});

test('what is said while a turn is open waits, is seen to wait, and is taken by the next step', async ({
  ui,
  session,
}) => {
  const made = await session({ script: HELD, prompt: 'Begin' });
  await made.until('step/start');
  await expect(field(ui)).toHaveAttribute('placeholder', 'Message, queued until this turn’s next step');
  await field(ui).fill('And this');
  await field(ui).press('Enter');
  const said = await made.until('user/message', 2);
  expect(said.data.queued).toBe(true);
  await expect(queued(ui)).toHaveText(`And thisQueued until this turn’s next step · event ${said.seq}`);
  await made.release('go');
  await made.until('turn/end');
  await expect(queued(ui)).toHaveCount(0);
});

test('what waits is still there after Stop, and goes with the next message', async ({ ui, session }) => {
  const made = await session({ script: HELD, prompt: 'Begin' });
  await made.until('step/start');
  await field(ui).fill('Later');
  await field(ui).press('Enter');
  await made.until('user/message', 2);
  await ui.getByRole('button', { name: 'Stop', exact: true }).click();
  expect((await made.until('turn/end')).data).toMatchObject({ reason: 'aborted', by: 'person' });
  await expect(queued(ui)).toContainText('Waits for your next message');
  await expect(ui.getByRole('button', { name: /^Stop/ })).toBeHidden();
  await made.release('go');
  await field(ui).fill('Now');
  await field(ui).press('Enter');
  await expect(queued(ui)).toHaveCount(0);
});

test('Ctrl+. stops the turn while a person writes, and loses nothing of it', async ({ ui, session }) => {
  const made = await session({ script: HELD, prompt: 'Begin' });
  await made.until('step/start');
  await field(ui).fill('half a thought');
  await ui.keyboard.press('ControlOrMeta+.');
  await made.until('turn/end');
  await expect(field(ui)).toHaveValue('half a thought');
  await expect(field(ui)).toBeFocused();
});

test('a pending approval leaves it as it is: a message is queued and answers nothing', async ({ ui, session }) => {
  const escalate = { to: 'danger-full-access', justification: 'Because.' };
  const call = { id: 'c1', tool: 'bash', input: { command: 'true', escalate } };
  const made = await session({ script: [{ calls: [call] }, { text: 'Done.' }], prompt: 'Ask' });
  await made.until('approval/asked');
  await expect(ui.locator('.turn-line')).toContainText('waiting');
  await field(ui).fill('yes, allow it');
  await field(ui).press('Enter');
  await expect(queued(ui)).toContainText('yes, allow it');
  expect(await made.eventsOf('approval/decided')).toEqual([]);
});

test('says who works, how it stands and for how long', async ({ ui, session }) => {
  const made = await session({ script: HELD, prompt: 'Begin' });
  await expect(ui.locator('.turn-line')).toHaveText(/^script \d+\.json · running · \d+ s$/);
  await made.release('go');
  await expect(ui.locator('.turn-line')).toHaveText(/^script \d+\.json · idle$/);
});

test('grows with what is typed, to eight lines', async ({ ui, session }) => {
  await session({ script: DONE });
  const height = async (lines: number): Promise<number> => {
    await field(ui).fill(Array.from({ length: lines }, () => 'line').join('\n'));
    return (await field(ui).boundingBox())?.height ?? 0;
  };
  const one = await height(1);
  expect(await height(4)).toBe(4 * one);
  expect(await height(8)).toBe(8 * one);
  expect(await height(30)).toBe(8 * one);
});
