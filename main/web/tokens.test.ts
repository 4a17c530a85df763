import { expect, it } from 'vitest';
import { Tokens } from './tokens.ts';

it('a one-time token is 256 random bits and lets one window in, once', () => {
  const tokens = new Tokens();
  const token = tokens.issue();
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const session = tokens.trade(token);
  expect(session).toMatch(/^[\w-]{43}$/);
  expect(session).not.toBe(token);
  expect(tokens.trade(token)).toBeUndefined();
});

it('a session token is good again and again, and stays the same', () => {
  const tokens = new Tokens();
  const session = tokens.trade(tokens.issue()) ?? '';
  expect(tokens.trade(session)).toBe(session);
  expect(tokens.trade(session)).toBe(session);
});

it('every window gets a session token of its own', () => {
  const tokens = new Tokens();
  const [one, two] = [tokens.issue(), tokens.issue()];
  expect(tokens.trade(two)).not.toBe(tokens.trade(one));
});

it('nothing else is worth anything', () => {
  const tokens = new Tokens();
  const token = tokens.issue();
  const foreign = new Tokens().issue();
  expect(['', 'x', foreign, token.slice(1), `${token}=`].map((wrong) => tokens.trade(wrong))).toEqual(
    Array(5).fill(undefined),
  );
  expect(tokens.trade(token)).toBeDefined();
});

it('of the links that nobody uses only the newest 16 stay good', () => {
  const tokens = new Tokens();
  const issued = Array.from({ length: 17 }, () => tokens.issue());
  expect(issued.map((token) => tokens.trade(token) !== undefined)).toEqual([false, ...Array(16).fill(true)]);
});
