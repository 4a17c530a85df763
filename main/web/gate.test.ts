import { describe, expect, it } from 'vitest';
import { originOf, pathOf, refusalOf, upgradeRefusalOf, type Asked } from './gate.ts';

function asked(headers: Asked['headers'], more: Partial<Asked> = {}): Asked {
  return { method: 'GET', url: '/', headers: { host: '127.0.0.1:4711', ...headers }, ...more };
}

const statusOf = (...at: Parameters<typeof asked>) => refusalOf(asked(...at))?.status;
const upgradeStatusOf = (headers: Asked['headers'], url = '/ws') =>
  upgradeRefusalOf(asked({ origin: 'http://127.0.0.1:4711', ...headers }, { url }))?.status;

describe('the Host', () => {
  it.each(['127.0.0.1:4711', '127.0.0.1', 'localhost', 'localhost:8080', '[::1]', '[::1]:65535'])(
    '%s is this machine, whatever the port',
    (host) => {
      expect(statusOf({ host })).toBeUndefined();
      expect(upgradeStatusOf({ host, origin: `http://${host}` })).toBeUndefined();
    },
  );

  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:4711',
    'evil.example:127.0.0.1',
    '127.0.0.2:4711',
    '10.0.0.1',
    '0.0.0.0:4711',
    '[::]:4711',
    'localhost:',
    'localhost:4711/',
    'user@localhost',
    'localhost, evil.example',
  ])('%j is not', (host) => {
    const headers = { host, origin: `http://${host}` };
    expect(statusOf(headers)).toBe(403);
    expect(upgradeStatusOf(headers)).toBe(403);
  });
});

describe('the method', () => {
  it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'CONNECT', undefined])('%s is refused', (method) => {
    expect(statusOf({}, { method })).toBe(405);
  });
});

describe('the Origin', () => {
  it.each([
    'http://evil.example',
    'http://localhost:4711',
    'http://127.0.0.1:4712',
    'https://127.0.0.1:4711',
    'null',
    '',
  ])('%j is another one', (origin) => {
    expect(statusOf({ origin })).toBe(403);
    expect(upgradeStatusOf({ origin })).toBe(403);
  });

  it('may be left out of a request, and not of a WebSocket', () => {
    expect(statusOf({})).toBeUndefined();
    expect(upgradeRefusalOf(asked({}, { url: '/ws' }))).toEqual({ status: 403, reason: 'A window names its Origin.' });
  });

  it('that a link is made of is the one by which the window came', () => {
    expect(originOf(asked({ host: 'localhost:8080' }))).toBe('http://localhost:8080');
  });
});

describe('another site', () => {
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  it.each(['cross-site', 'same-site', 'unheard-of'])(
    '(%s) may send a person to the page and to nothing else',
    (site) => {
      const headers = { 'sec-fetch-site': site };
      expect(statusOf({ ...headers, ...navigation })).toBeUndefined();
      expect(statusOf({ ...headers, ...navigation }, { url: '/?a=b' })).toBeUndefined();
      expect(statusOf({ ...headers, ...navigation }, { url: '/index.html' })).toBe(403);
      expect(statusOf({ ...headers, ...navigation }, { url: '/assets/main.js' })).toBe(403);
      expect(statusOf({ ...headers, ...navigation, 'sec-fetch-dest': 'iframe' })).toBe(403);
      expect(statusOf({ ...headers, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' })).toBe(403);
      expect(statusOf(headers)).toBe(403);
      expect(upgradeStatusOf(headers)).toBe(403);
    },
  );

  it.each(['same-origin', 'none'])('is not what %s means', (site) => {
    expect(statusOf({ 'sec-fetch-site': site }, { url: '/assets/main.js' })).toBeUndefined();
    expect(upgradeStatusOf({ 'sec-fetch-site': site })).toBeUndefined();
  });
});

describe('the path', () => {
  it('of a WebSocket is one', () => {
    expect(upgradeStatusOf({}, '/')).toBe(404);
    expect(upgradeStatusOf({}, '/ws/more')).toBe(404);
    expect(upgradeStatusOf({}, '/ws?a=b')).toBeUndefined();
  });

  it('ends where the query begins', () => {
    expect(['/?a', '/x?a?b', '/x', undefined].map((url) => pathOf({ url, headers: {} }))).toEqual([
      '/',
      '/x',
      '/x',
      '',
    ]);
  });
});
