import { describe, expect, it } from 'vitest';
import { parseScript } from './script.ts';

describe('parseScript', () => {
  it('takes a script as the contract shows it, and invalid calls in it', () => {
    const script = {
      answers: [
        { text: 'Writing.', calls: [{ id: 'c1', tool: 'write', input: { path: 'a.txt', content: 'A' } }] },
        { await: 'go', calls: [{ id: 'c1', tool: 'nothing', input: null }] },
        {},
      ],
      children: { reviewer: { answers: [{ text: 'Looks good.' }] } },
    };
    expect(parseScript(JSON.stringify(script))).toEqual(script);
  });

  it.each<[string, unknown, string]>([
    ['is a list', [], 'the script'],
    ['is null', null, 'the script'],
    ['has no answers', {}, 'answers'],
    ['has answers that are no list', { answers: {} }, 'answers'],
    ['has an answer that is a text', { answers: ['a'] }, 'answers[0]'],
    ['has a text that is a number', { answers: [{}, { text: 1 }] }, 'answers[1].text'],
    ['has a barrier without a name', { answers: [{ await: '' }] }, 'answers[0].await'],
    ['has calls that are no list', { answers: [{ calls: {} }] }, 'answers[0].calls'],
    ['has a call without an id', { answers: [{ calls: [{ tool: 'a', input: {} }] }] }, 'answers[0].calls[0].id'],
    [
      'has a call with an empty id',
      { answers: [{ calls: [{ id: '', tool: 'a', input: 1 }] }] },
      'answers[0].calls[0].id',
    ],
    [
      'has a call without a tool',
      { answers: [{}, {}, { calls: [{ id: 'c', input: 1 }] }] },
      'answers[2].calls[0].tool',
    ],
    ['has a call without input', { answers: [{ calls: [{ id: 'c', tool: 'a' }] }] }, 'answers[0].calls[0].input'],
    ['has an unknown key', { answers: [{ say: 'a' }] }, 'answers[0]'],
    ['has an unknown key at the top', { answers: [], version: 1 }, 'the script'],
    ['has a child without answers', { answers: [], children: { reviewer: {} } }, 'children.reviewer.answers'],
    [
      'has a bad answer of a child',
      { answers: [], children: { r: { answers: [{ text: 1 }] } } },
      'children.r.answers[0].text',
    ],
  ])('refuses one that %s, and names the place', (_, script, place) => {
    const fault = parseScript(JSON.stringify(script));
    expect(fault).toMatchObject({ kind: 'script-invalid' });
    expect('message' in fault && fault.message.split(': ')[0]).toBe(place);
  });

  it.each(['', '{', 'answers: []'])('refuses what is no JSON: %j', (text) => {
    expect(parseScript(text)).toMatchObject({ kind: 'script-invalid', message: expect.stringMatching(/^not JSON: ./) });
  });

  it('hands the input of a call on as it is, however deep or strange', () => {
    const input = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const script = parseScript(
      `{"answers":[{"calls":[{"id":"c","tool":"t","input":{"__proto__":1,"deep":${input}}}]}]}`,
    );
    expect(script).not.toHaveProperty('kind');
    expect(script).toHaveProperty('answers[0].calls[0].input.deep');
    const [answer] = 'answers' in script ? script.answers : [];
    expect(Object.keys(answer?.calls?.[0]?.input ?? {})).toEqual(['__proto__', 'deep']);
  });
});
