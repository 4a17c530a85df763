import { expect, it } from 'vitest';
import type { EndPhase, Exit } from '../../app/sandbox/provider.ts';
import { Ending, type Tree } from './ending.ts';

/** A tree that does what the test says: how many kills it survives, and whether it listens when it is asked. */
class Stubborn implements Tree {
  readonly #exit = Promise.withResolvers<Exit>();
  readonly exited = this.#exit.promise;
  readonly calls: string[] = [];
  readonly #listens: boolean;
  #lives: number;

  constructor({ listens = false, lives = 1 }: { readonly listens?: boolean; readonly lives?: number } = {}) {
    this.#listens = listens;
    this.#lives = lives;
  }

  terminate(): void {
    this.calls.push('terminate');
    if (this.#listens) this.die('SIGTERM');
  }

  kill(): void {
    this.#lives -= 1;
    if (this.#lives === 0) this.die('SIGKILL');
  }

  isGone(): boolean {
    return this.#lives <= 0;
  }

  release(): void {
    this.calls.push('release');
  }

  die(signal: string | null): void {
    this.#lives = 0;
    this.#exit.resolve({ exitCode: null, signal });
  }
}

const quick = { graceMs: 20, killMs: 40 };

async function phases(ending: Ending): Promise<EndPhase[]> {
  const seen: EndPhase[] = [];
  await ending.close((phase) => seen.push(phase));
  return seen;
}

it('asks first, and does not insist where that is enough', async () => {
  const tree = new Stubborn({ listens: true });
  const ending = new Ending(tree, quick);
  expect(await phases(ending)).toEqual(['asked', 'terminating', 'exited', 'released']);
  expect(ending.killed).toBe(false);
});

it('PRC-2: insists when the grace is over', async () => {
  const ending = new Ending(new Stubborn(), quick);
  expect(await phases(ending)).toEqual(['asked', 'terminating', 'killing', 'exited', 'released']);
  expect(await ending.closed).toEqual({ exitCode: null, signal: 'SIGKILL' });
});

it('insists at once without a grace', async () => {
  const tree = new Stubborn();
  expect(await phases(new Ending(tree, { ...quick, graceMs: 0 }))).toEqual(['asked', 'killing', 'exited', 'released']);
  expect(tree.calls).toEqual(['release']);
});

it('takes two closes at once for one attempt, and tells both of its phases', async () => {
  const tree = new Stubborn({ listens: true });
  const ending = new Ending(tree, quick);
  const [one, two]: [EndPhase[], EndPhase[]] = [[], []];
  const first = ending.close((phase) => one.push(phase));
  const second = ending.close((phase) => two.push(phase));
  expect(await first).toBe(await second);
  expect(two.at(-1)).toBe('released');
  expect(one.at(-1)).toBe('released');
  expect(tree.calls).toEqual(['terminate', 'release']);
});

it('says in which phase it failed, and can be tried again', async () => {
  const tree = new Stubborn({ lives: 1000 });
  const ending = new Ending(tree, quick);
  expect(await ending.close()).toMatchObject({
    ok: false,
    phase: 'killing',
    error: expect.stringContaining('SIGKILL'),
  });
  tree.die('SIGKILL');
  expect(await ending.close()).toEqual({ ok: true, exit: { exitCode: null, signal: 'SIGKILL' } });
});

it('resolves closed when the tree went by itself', async () => {
  const tree = new Stubborn();
  const ending = new Ending(tree, quick);
  tree.die(null);
  expect(await ending.closed).toEqual({ exitCode: null, signal: null });
  expect(tree.calls).toEqual([]);
});
