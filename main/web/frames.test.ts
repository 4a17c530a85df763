import { expect, it } from 'vitest';
import { parseFrame, refusalFrame, tokenIn } from './frames.ts';

it('a request has an id, a name and an input, which may be left out', () => {
  expect(parseFrame('{"id":1,"request":"doctor.run","input":{"a":1}}')).toEqual({
    kind: 'request',
    id: 1,
    request: 'doctor.run',
    input: { a: 1 },
  });
  expect(parseFrame('{"id":"x","request":"doctor.run"}')).toMatchObject({ id: 'x', input: {} });
});

it('a window asks for a link, and says that it was touched', () => {
  expect(parseFrame('{"id":2,"link":true}')).toEqual({ kind: 'link', id: 2 });
  expect(parseFrame('{"touched":true}')).toEqual({ kind: 'touched' });
});

it.each([
  ['', null],
  ['{', null],
  ['[1]', null],
  ['null', null],
  ['"x"', null],
  ['{"request":"doctor.run"}', null],
  ['{"id":null,"request":"doctor.run"}', null],
  ['{"id":1e999,"request":"doctor.run"}', null],
  ['{"id":{},"link":true}', null],
  ['{"id":3}', 3],
  ['{"id":3,"request":5}', 3],
  ['{"id":3,"link":false}', 3],
  ['{"touched":false}', null],
])('%j is none of it', (text, id) => {
  expect(parseFrame(text)).toMatchObject({ kind: 'bad', id });
});

it.each(['', 'x', '5', '{}', '{"token":5}', '["token"]', '{"id":1,"request":"doctor.run"}'])(
  '%j presents no token',
  (text) => {
    expect(tokenIn(text)).toBeUndefined();
  },
);

it('a refusal is an error reply', () => {
  expect(tokenIn('{"token":"abc"}')).toBe('abc');
  expect(JSON.parse(refusalFrame(null, 'bad-line', 'It is not JSON'))).toEqual({
    id: null,
    ok: false,
    code: 'bad-line',
    message: 'It is not JSON.',
  });
});
