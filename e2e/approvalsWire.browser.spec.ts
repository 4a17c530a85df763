import type { Page, WebSocketRoute } from '@playwright/test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Push } from '../app/contract/pushes.ts';
import type { Reply } from '../app/contract/reply.ts';
import { asking, onePending, openApprovals, pending, Question } from './fixtures/approval.ts';
import { expect, test } from './fixtures/test.ts';

// What a window says of an answer while the way to main is bad: never more than it knows.

type Frame = (Reply & { readonly id: number }) | Push | { readonly ready: true };

interface Asked {
  readonly id?: number;
  readonly request?: string;
  readonly input: { readonly approvalId?: string; readonly decision?: string };
}

/** Stands between the window and main, and can hold back or change what main says. */
class Wire {
  /** Undefined holds the frame back for good. */
  change: (frame: Frame, toDecide: boolean) => Frame | undefined = (frame) => frame;
  /** What was asked for, by id of the frame. */
  readonly #asked = new Map<number, string>();
  readonly #answered: string[] = [];
  /** The decisions that the window has sent, in their order. */
  readonly decisions: string[] = [];
  #sockets: WebSocketRoute[] = [];

  static async between(page: Page): Promise<Wire> {
    const wire = new Wire();
    await page.routeWebSocket(/\/ws$/, (socket) => wire.#join(socket));
    await page.reload();
    await expect(page.locator('[data-region="main"][aria-busy="false"]')).toBeVisible();
    return wire;
  }

  /** As when the network goes away: the window hears nothing of it but the end. */
  async cut(): Promise<void> {
    const sockets = this.#sockets;
    this.#sockets = [];
    await Promise.all(sockets.map((socket) => socket.close({ code: 1012, reason: 'cut' })));
  }

  say(push: Push): void {
    for (const socket of this.#sockets) socket.send(JSON.stringify(push));
  }

  answers(request: string): number {
    return this.#answered.filter((name) => name === request).length;
  }

  #join(socket: WebSocketRoute): void {
    this.#sockets.push(socket);
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const asked = JSON.parse(String(message)) as Asked; // the window's own words
      if (asked.request === 'approval.decide') this.decisions.push(`${asked.input.decision} ${asked.input.approvalId}`);
      if (asked.id !== undefined) this.#asked.set(asked.id, asked.request ?? '');
      server.send(message);
    });
    server.onMessage((message) => {
      const frame = JSON.parse(String(message)) as Frame; // main's own words
      const answers = 'id' in frame ? this.#asked.get(frame.id) : undefined;
      const changed = this.change(frame, answers === 'approval.decide');
      if (!changed) return;
      socket.send(JSON.stringify(changed));
      if (answers !== undefined) this.#answered.push(answers);
    });
  }
}

function isDecided(frame: Frame): boolean {
  return 'push' in frame && frame.push === 'approval' && frame.data.change === 'decided';
}

test('an answer whose reply is lost is recording, then not confirmed; the buttons arm anew and Retry tells the outcome', async ({
  ui,
  door,
  session,
  folder,
}) => {
  const file = join(folder, 'out.txt');
  const made = await session({ script: [{ calls: [asking('c1', `echo x >> ${file}`)] }, { text: 'Done.' }] });
  const wire = await Wire.between(ui);
  await made.prompt('Go');
  const question = new Question(ui, (await onePending(door)).approvalId);
  await question.untilArmed();
  wire.change = (frame, toDecide) => (toDecide || isDecided(frame) ? undefined : frame);
  const states = await question.states();
  await question.allow.click();
  await expect(question.root).toContainText('Not confirmed.');
  await question.untilArmed();
  expect(await states()).toEqual(expect.arrayContaining(['recording false', 'unconfirmed false', 'unconfirmed true']));
  wire.change = (frame) => frame;
  await question.button('Retry: allow once').click();
  await question.expectEnded('Allowed once.');
  await expect(question.root).not.toContainText('another window');
  await made.until('turn/end');
  expect(readFileSync(file, 'utf8')).toBe('x\n');
  expect(await made.eventsOf('approval/decided')).toHaveLength(1);
});

test('an error reply is shown in its own words, and the question can be answered again', async ({
  ui,
  door,
  session,
}) => {
  const made = await session({ script: [{ calls: [asking('c1', 'echo x')] }, { text: 'Done.' }] });
  const wire = await Wire.between(ui);
  await made.prompt('Go');
  const question = new Question(ui, (await onePending(door)).approvalId);
  await question.untilArmed();
  wire.change = (frame, toDecide) =>
    toDecide && 'id' in frame
      ? { id: frame.id, ok: false, code: 'storage', message: 'The disk is full. Nothing was recorded.' }
      : isDecided(frame)
        ? undefined
        : frame;
  const states = await question.states();
  await question.deny.click();
  await expect(question.root).toContainText('Not confirmed. The disk is full. Nothing was recorded.');
  await question.untilArmed();
  expect(await states()).toEqual(expect.arrayContaining(['recording false', 'unconfirmed false', 'unconfirmed true']));
  wire.change = (frame) => frame;
  await question.deny.click();
  await question.expectEnded('Denied.');
});

test('while the connection is lost nothing can be pressed; what ended meanwhile reads so, what waits can be answered', async ({
  ui,
  door,
  session,
  folder,
}) => {
  const file = join(folder, 'out.txt');
  const first = await session({ script: [{ calls: [asking('c1', `echo x >> ${file}`)] }, { text: 'Done.' }] });
  const wire = await Wire.between(ui);
  await first.prompt('Go');
  const question = new Question(ui, (await onePending(door)).approvalId);
  await question.untilArmed();
  const loads = wire.answers('session.open');
  const states = await question.states();
  await wire.cut();
  await expect.poll(states).toContain('open false');
  await question.untilArmed();
  await expect.poll(() => wire.answers('session.open')).toBeGreaterThan(loads);
  wire.change = (frame) => (isDecided(frame) ? undefined : frame);
  await door.request('approval.decide', { approvalId: question.id, decision: 'deny' });
  await first.until('turn/end');
  await wire.cut();
  await question.expectEnded(/Denied. It was answered in another window|It ended while this window was not connected/);
  expect(existsSync(file)).toBe(false);
});

test('the other questions of a Session and of those below it are rows above the one in full, and a row brings its own up', async ({
  ui,
  door,
  session,
}) => {
  const made = await session({ script: [{ calls: [asking('c1', 'echo x')] }, { text: 'Done.' }] });
  const wire = await Wire.between(ui);
  await made.prompt('Go');
  const first = await onePending(door);
  const one = new Question(ui, first.approvalId);
  await one.untilArmed();
  const [parent] = first.lineage;
  if (!parent) throw new Error('A Session is its own lineage');
  // Children cannot be made yet; to the window they are what their lineage says.
  const child = { ...parent, title: 'Child\u202e' };
  const below = { ...first, approvalId: `${first.approvalId}-2` as typeof first.approvalId, lineage: [parent, child] };
  wire.say({ push: 'approval', data: { change: 'asked', approval: below } });
  const two = new Question(ui, below.approvalId);
  await expect(one.root).toContainText('1 of 2');
  await expect(two.root).toHaveCount(0);
  expect(await one.root.getAttribute('data-armed')).toBe('true');
  const row = ui.getByRole('button', { name: /^one command, full access .* › Child⟨U\+202E⟩$/ });
  await row.click();
  await expect(two.heading).toBeFocused();
  await expect(two.root).toContainText('2 of 2');
  await expect(one.root).toHaveCount(0);
  wire.say({
    push: 'approval',
    data: { change: 'decided', approval: below, outcome: 'cancelled', by: 'system', reason: 'agent-died' },
  });
  await two.expectEnded('Withdrawn: the agent ended.');
  await expect(ui.locator('#composer')).toBeFocused();
  await one.untilArmed();
});

test('five questions from three Sessions, one of them three levels deep: all to be seen, each answered by its own id', async ({
  ui,
  door,
  session,
}) => {
  const script = (name: string) => [{ calls: [asking(name, `echo ${name}`)] }, { text: 'Done.' }];
  const made = [];
  for (const name of ['one', 'two', 'three']) made.push(await session({ script: script(name), title: name }));
  const wire = await Wire.between(ui);
  for (const [at, each] of made.entries()) {
    await each.prompt('Go');
    await pending(door, at + 1);
  }
  const [one, two, three] = await pending(door, 3);
  if (!one || !two || !three) throw new Error('Three were asked');
  const again = { ...two, approvalId: `${two.approvalId}-2` as typeof two.approvalId };
  const [root] = three.lineage;
  if (!root) throw new Error('A Session is its own lineage');
  // Children cannot be made yet; to the window they are what their lineage says.
  const lineage = [root, { ...root, title: 'child' }, { ...root, title: 'grandchild' }];
  const deep = { ...three, approvalId: `${three.approvalId}-2` as typeof three.approvalId, lineage };
  for (const approval of [again, deep]) wire.say({ push: 'approval', data: { change: 'asked', approval } });
  await openApprovals(ui);
  const questions = [one, two, three, again, deep].map(({ approvalId }) => new Question(ui, approvalId));
  for (const [at, question] of questions.entries()) await expect(question.root).toContainText(`${at + 1} of 5`);
  await expect(new Question(ui, deep.approvalId).root).toContainText('three › child › grandchild');
  const answers = ['deny', 'allow-once', 'deny', 'allow-once', 'deny'];
  // From the last to the first, so that the order of the list says nothing.
  for (const [at, question] of Array.from(questions.entries()).toReversed()) {
    await question.untilArmed();
    await (answers[at] === 'deny' ? question.deny : question.allow).click();
    await expect.poll(() => wire.decisions).toContain(`${answers[at]} ${question.id}`);
  }
  expect(wire.decisions).toHaveLength(5);
  for (const [at, each] of made.entries()) {
    const decided = await each.until('approval/decided');
    expect(decided.data).toMatchObject({ outcome: answers[at] === 'deny' ? 'rejected' : 'allowed-once' });
  }
});
