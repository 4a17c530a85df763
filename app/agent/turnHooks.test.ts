import { describe, expect, it } from 'vitest';
import { deferred } from '../base/deferred.ts';
import { until } from '../base/waiting.fixture.ts';
import { answers, callOf, END, say, stage, type StageOptions } from './turn.fixture.ts';
import type { AcceptedMessage, TurnHooks } from './turnHooks.ts';

function hooks(more: Partial<TurnHooks> = {}) {
  const told = { begun: [] as number[], prompts: [] as AcceptedMessage[], again: [] as boolean[] };
  const all: TurnHooks = {
    begin: async (turn) => void told.begun.push(turn),
    prompt: async (message, signal) => {
      told.prompts.push(message);
      return await more.prompt?.(message, signal);
    },
    stop: async (again, signal) => {
      told.again.push(again);
      return await more.stop?.(again, signal);
    },
  };
  return { told, hooks: all };
}

const refusing = (word: string): Pick<TurnHooks, 'prompt'> => ({
  prompt: async ({ text }) => (text?.includes(word) ? `no ${word}` : undefined),
});

describe('a prompt', () => {
  it('that a hook refuses ends its turn as blocked, and no model is asked', async () => {
    const { hooks: given } = hooks(refusing('bad'));
    const { turns, requests, of } = stage([], { hooks: given });
    await turns.prompt('a bad word', 'person');
    expect(await turns.idle()).toBe('blocked');
    expect(requests).toEqual([]);
    expect(of('turn/end')).toEqual([{ turn: 1, reason: 'blocked', message: 'A hook refused the prompt: no bad' }]);
  });

  it('that waits behind a refused one opens the next turn', async () => {
    const gate = deferred<void>();
    const { told, hooks: given } = hooks({
      prompt: async ({ text }) => {
        await gate.promise;
        return text === 'first' ? 'no' : undefined;
      },
    });
    const { turns, requests } = stage([answers(say('Yes.'), END)], { hooks: given });
    await turns.prompt('first', 'person');
    await turns.prompt('second', 'person');
    gate.resolve();
    expect(await turns.idle()).toBe('completed');
    expect(requests.map(({ turn, step }) => [turn, step])).toEqual([[2, 1]]);
    expect(told.prompts.map(({ text }) => text)).toEqual(['first', 'second']);
  });

  it('is asked about once, with its text; one of an earlier process without it', async () => {
    const { told, hooks: given } = hooks();
    const options: StageOptions = { hooks: given, resumed: { turns: 3, queued: [0] } };
    const { turns, journal } = stage([answers(callOf('c1', 'read'), END), answers(END)], options);
    journal.append({ type: 'user/message', data: { text: 'Earlier', origin: 'person', queued: true } });
    const seq = await turns.prompt('Go', 'person');
    await turns.idle();
    expect(told.prompts).toEqual([{ seq: 0 }, { seq, text: 'Go' }]);
    expect(told.begun).toEqual([4]);
  });

  it('that comes while another is being asked about is asked about before the step that takes both', async () => {
    const gate = deferred<void>();
    const { told, hooks: given } = hooks({
      prompt: async ({ text }) => {
        if (text === 'first') await gate.promise;
        return text === 'late and bad' ? 'no' : undefined;
      },
    });
    const { turns, journal } = stage([answers(END)], { hooks: given });
    await turns.prompt('first', 'person');
    await until(() => told.prompts.length === 1);
    await turns.prompt('late and bad', 'person');
    gate.resolve();
    expect(await turns.idle()).toBe('completed');
    expect(told.prompts.map(({ text }) => text)).toEqual(['first', 'late and bad']);
    expect(journal.types().filter((type) => type === 'turn/start')).toHaveLength(1);
  });

  it('is not sent when the turn is stopped while a hook is being asked', async () => {
    const { told, hooks: given } = hooks({
      prompt: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
    });
    const { turns, requests } = stage([], { hooks: given });
    await turns.prompt('Go', 'person');
    await until(() => told.prompts.length === 1);
    await turns.stop('person');
    expect(await turns.idle()).toBe('aborted');
    expect(requests).toEqual([]);
  });
});

describe('the end of a turn', () => {
  const done = () => answers(say('Done.'), END);

  it('is put off by a hook three times and no more, whatever the model does in between', async () => {
    const { told, hooks: given } = hooks({ stop: async () => 'run the tests' });
    const work = answers(callOf('c1', 'read'), END);
    const models = Array.from({ length: 9 }, () => [work, done()]).flat();
    const { turns, requests } = stage(models, { hooks: given });
    await turns.prompt('Go', 'person');
    expect(await turns.idle()).toBe('completed');
    expect(requests).toHaveLength(8);
    expect(told.again).toEqual([false, true, true]);
  });

  it('is told of an earlier putting off for the rest of the turn, and counted anew in the next one', async () => {
    const reasons = ['a', 'b', undefined, 'c', undefined];
    const { told, hooks: given } = hooks({ stop: async () => reasons.shift() });
    const work = answers(callOf('c1', 'read'), END);
    const { turns } = stage([done(), done(), work, done(), done()], { hooks: given });
    await turns.prompt('Go', 'person');
    await turns.idle();
    expect(told.again).toEqual([false, true, true]);
    await turns.prompt('Go on', 'person');
    await turns.idle();
    expect(told.again).toEqual([false, true, true, false, true]);
  });
});
