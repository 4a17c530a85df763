import { describe, expect, it } from 'vitest';
import { isTrusted, OwnOrigins, START } from './origin.ts';

const own = new OwnOrigins();

it.each([
  START,
  'app://gatehouse/',
  'app://gatehouse/stopped#session=s_1',
  'app://gatehouse/index.html?x=https://a.b/',
])('%s is an address of ours', (url) => {
  expect(own.owns(url)).toBe(true);
});

it.each([
  'app://other/index.html',
  'app://gatehouse.evil/index.html',
  'https://gatehouse/index.html',
  'file:///index.html',
  'blob:app://gatehouse/1234',
  'data:text/html,app://gatehouse/',
  'about:blank',
  'javascript:alert(1)',
  'http://localhost:5173/',
  '',
  'app',
])('%j is no address of ours', (url) => {
  expect(own.owns(url)).toBe(false);
});

it('a development server is an address of ours only where it is named, and only that one', () => {
  const developed = new OwnOrigins('http://localhost:5173/');
  expect(developed.start).toBe('http://localhost:5173/');
  expect(developed.owns('http://localhost:5173/index.html')).toBe(true);
  expect(developed.owns('http://localhost:5174/index.html')).toBe(false);
  expect(developed.owns('https://localhost:5173/index.html')).toBe(false);
  expect(developed.owns('app://gatehouse/stopped')).toBe(true);
});

describe('a sender', () => {
  it('is trusted when it is the page itself at an address of ours', () => {
    expect(isTrusted({ url: START, parent: null }, own)).toBe(true);
  });

  it('is not trusted when it is a frame within the page, a strange page, or gone', () => {
    expect(isTrusted({ url: START, parent: { url: START } }, own)).toBe(false);
    expect(isTrusted({ url: 'https://example.org/', parent: null }, own)).toBe(false);
    expect(isTrusted(null, own)).toBe(false);
  });
});
