import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isAlive } from '../process/identity.ts';
import { HiddenWatch } from './hiddenWatch.ts';
import { protectionOf } from './protection.ts';
import { createWorld, start, Transcript, type World } from './world.fixture.ts';

let world: World;
let file: string;
let missing: string;
beforeEach(() => {
  world = createWorld();
  [file, missing] = [join(world.userHome, '.git-credentials'), join(world.userHome, '.aws')];
  writeFileSync(file, 'old');
});
afterEach(() => world.remove());

/** As git's own store does it. */
function replaceFile(): void {
  writeFileSync(`${file}.lock`, 'new');
  renameSync(`${file}.lock`, file);
}

/** What would be told of it, under the Mode that may do least. */
function hiding() {
  const policy = world.policy('read-only', { hide: [file, missing] });
  const gone = Promise.withResolvers<void>();
  const revealed: string[] = [];
  const reveal = (path: string) => {
    revealed.push(path);
    gone.resolve();
  };
  return { hiding: { policy, protection: protectionOf(policy), reveal }, revealed, gone };
}

it.each([
  ['replaced', () => replaceFile(), () => file],
  ['made', () => mkdirSync(missing), () => missing],
])('ends what runs when a hidden path was %s, and says which', async (_how, change, path) => {
  const policy = world.policy('read-only', { hide: [file, missing] });
  const process = await start(world, { policy, argv: ['bash', '-c', 'echo up; sleep 300'] });
  const transcript = new Transcript(process);
  await transcript.until('up');
  change();
  expect(await process.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  expect([process.revealed, process.exceeded, isAlive(process.identity)]).toEqual([path(), undefined, false]);
  await process.close();
});

it('says nothing of a file that was only written, however often it looked', async () => {
  const watch = new HiddenWatch(5);
  const [quiet, later] = [hiding(), hiding()];
  watch.add(quiet.hiding, quiet.gone.promise);
  writeFileSync(file, 'longer than before');
  // Looked at after it in the same look.
  watch.add({ ...later.hiding, protection: new Map() }, later.gone.promise);
  await later.gone.promise;
  expect([quiet.revealed, later.revealed]).toEqual([[], [file]]);
  quiet.gone.resolve();
});

it('looks no more when nothing runs that hides something', async () => {
  const watch = new HiddenWatch(5);
  const { hiding: one, gone } = hiding();
  watch.add({ ...one, policy: world.policy('read-only') }, new Promise(() => undefined));
  expect(watch.isIdle).toBe(true);
  watch.add(one, gone.promise);
  expect(watch.isIdle).toBe(false);
  gone.reject(new Error('It failed'));
  await vi.waitFor(() => expect(watch.isIdle).toBe(true));
});
