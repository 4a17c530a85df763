import { expect, it } from 'vitest';
import { Quit, type QuitAnswer, type QuitOptions } from './quit.ts';
import type { LiveWork } from './liveWork.ts';

const WORK: LiveWork = [{ kind: 'running', title: 'A' }];

function setUp(options: { work?: LiveWork | Error; stop?: () => Promise<void>; stopMs?: number } = {}) {
  const done: string[] = [];
  const faults: unknown[] = [];
  const exited = Promise.withResolvers<number>();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<QuitAnswer>();
  const parts: QuitOptions = {
    liveWork: async () => {
      if (options.work instanceof Error) throw options.work;
      return options.work ?? [];
    },
    ask: (work, signal) => {
      done.push(`ask ${work.map(({ title }) => title).join()}`);
      asked.resolve();
      // As a dialog that is closed from outside: as if the person had cancelled.
      signal.addEventListener('abort', () => answer.resolve('cancel'));
      return answer.promise;
    },
    keepRunning: () => void done.push('keep'),
    stop: async () => {
      done.push('stop');
      await options.stop?.();
    },
    exit: (code) => {
      done.push(`exit ${code}`);
      exited.resolve(code);
    },
    onFault: (fault) => void faults.push(fault),
    ...(options.stopMs !== undefined && { stopMs: options.stopMs }),
  };
  return { quit: new Quit(parts), done, faults, exited: exited.promise, asked: asked.promise, answer };
}

it('without live work it asks nothing: everything is stopped, then the process ends', async () => {
  const { quit, done, exited } = setUp();
  quit.request();
  expect(await exited).toBe(0);
  expect(done).toEqual(['stop', 'exit 0']);
  expect(quit.stopping).toBe(true);
});

it('with live work it asks, and obeys: stop and quit', async () => {
  const { quit, done, exited, asked, answer } = setUp({ work: WORK });
  quit.request();
  await asked;
  expect(done).toEqual(['ask A']);
  answer.resolve('stop');
  await exited;
  expect(done).toEqual(['ask A', 'stop', 'exit 0']);
});

it('what cannot be listed may be at work: it asks, and there is a way out', async () => {
  const { quit, faults, exited, asked, answer } = setUp({ work: new Error('broken') });
  quit.request();
  await asked;
  expect(faults).toMatchObject([{ message: 'broken' }]);
  answer.resolve('stop');
  expect(await exited).toBe(0);
});

it.each(['keep', 'cancel'] as const)(
  'with the answer %s nothing is stopped, and it can be asked again',
  async (given) => {
    const { quit, done, asked, answer, exited } = setUp({ work: WORK });
    quit.request();
    await asked;
    answer.resolve(given);
    await answer.promise;
    await new Promise(setImmediate);
    expect(quit.stopping).toBe(false);
    expect(done).toEqual(given === 'keep' ? ['ask A', 'keep'] : ['ask A']);
    quit.request();
    await new Promise(setImmediate);
    expect(done.filter((each) => each === 'ask A')).toHaveLength(2);
    await quit.stop();
    expect(await exited).toBe(0);
  },
);

it('9-c: to quit a second time while it asks is the answer, and everything is stopped all the same', async () => {
  const { quit, done, asked, exited } = setUp({ work: WORK });
  quit.request();
  await asked;
  quit.request();
  await exited;
  quit.request();
  expect(done).toEqual(['ask A', 'stop', 'exit 0']);
});

it('9-c: to quit twice at once, before it has asked, stops once and asks nobody', async () => {
  const { quit, done, exited } = setUp({ work: WORK });
  quit.request();
  quit.request();
  await exited;
  await new Promise(setImmediate);
  expect(done).toEqual(['stop', 'exit 0']);
});

it('9-c: to quit while it stops neither hangs nor skips anything', async () => {
  const slow = Promise.withResolvers<void>();
  const { quit, done, exited } = setUp({ stop: () => slow.promise });
  quit.request();
  await new Promise(setImmediate);
  quit.request();
  const stopping = quit.stop();
  expect(done).toEqual(['stop']);
  slow.resolve();
  await stopping;
  expect(await exited).toBe(0);
  expect(done).toEqual(['stop', 'exit 0']);
});

it('a late answer changes nothing once it stops', async () => {
  const { quit, done, asked, answer, exited } = setUp({ work: WORK });
  quit.request();
  await asked;
  answer.resolve('keep');
  await quit.stop();
  await exited;
  expect(done).toEqual(['ask A', 'stop', 'exit 0']);
});

it('an end that does not come is not waited for without limit', async () => {
  const { quit, exited, faults } = setUp({ stop: () => new Promise(() => undefined), stopMs: 1 });
  quit.request();
  expect(await exited).toBe(1);
  expect(faults).toHaveLength(1);
});

it('a fault on the way out is told, and the process ends', async () => {
  const { quit, exited, faults } = setUp({ stop: () => Promise.reject(new Error('broken')) });
  quit.request();
  expect(await exited).toBe(1);
  expect(faults).toMatchObject([{ message: 'broken' }]);
});
