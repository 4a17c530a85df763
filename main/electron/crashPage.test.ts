import { describe, expect, it } from 'vitest';
import { CONTENT_SECURITY_POLICY } from '../web/assets.ts';
import { crashAsset, crashUrl, isCrashUrl } from './crashPage.ts';
import { START } from './origin.ts';
import { textsOf } from './text.ts';

const en = textsOf('en', 'en');
const bodyOf = (path: string, texts = en, start = START) => crashAsset(path, texts, start)?.body.toString();

it('the way to the error page keeps where the window was, and the way back leads there', () => {
  const url = crashUrl('app://gatehouse/index.html#session=s_1');
  expect(url).toBe('app://gatehouse/stopped#session=s_1');
  expect(bodyOf('/stopped.js')).toContain('location.replace("/index.html" + location.hash)');
  const developed = bodyOf('/stopped.js', en, 'http://localhost:5173/');
  expect(developed).toContain('location.replace("http://localhost:5173/" + location.hash)');
  expect(crashUrl('')).toBe('app://gatehouse/stopped');
});

it('knows the error page by its address, and no other', () => {
  expect(isCrashUrl('app://gatehouse/stopped#x')).toBe(true);
  expect([START, 'app://other/stopped', 'https://gatehouse/stopped', ''].map(isCrashUrl)).not.toContain(true);
});

describe('its files', () => {
  it('are the page, its script and its style, and nothing else', () => {
    expect(['/stopped', '/stopped.js', '/stopped.css'].map((path) => crashAsset(path, en, START)?.status)).toEqual([
      200, 200, 200,
    ]);
    expect(crashAsset('/index.html', en, START)).toBeUndefined();
  });

  it('hold to the content policy: no script, style or handler stands in the page itself', () => {
    const page = crashAsset('/stopped', en, START);
    expect(page?.headers['content-security-policy']).toBe(CONTENT_SECURITY_POLICY);
    expect(page?.body.toString()).not.toMatch(/<style|style=|onclick|<script>/);
    expect(page?.body.toString()).toContain('<button type="button" autofocus>Reload</button>');
  });

  it('speak the language of the person', () => {
    expect(bodyOf('/stopped', textsOf('zh', 'en'))).toMatch(/lang="zh-Hans"[^]*重新载入/);
  });
});
