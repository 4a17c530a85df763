import { describe, expect, it } from 'vitest';
import { loginShellOf, pathIn, widened } from './loginPath.ts';

describe('3-e: the answer of a login shell', () => {
  it.each([
    ['alone', 'M\n/a:/b\nM\n', '/a:/b'],
    ['behind a banner that has no end of line', 'Welcome! /evil:/worseM\n/a\nM\n', '/a'],
    ['where the profile says the marker itself', 'M\nbanner\nM\nM\n/a\nM\n', '/a'],
    ['with folders that depend on where one is', 'M\n.:/a::bin:/b\nM\n', '/a:/b'],
  ])('is found %s', (_name, output, path) => {
    expect(pathIn(output, 'M')).toBe(path);
  });

  it.each(['', 'banner\n', 'M\n/a', 'M\n/a\n', 'M\n\nM\n', 'M\nrelative\nM\n'])('is not in %j', (output) => {
    expect(pathIn(output, 'M')).toBeUndefined();
  });
});

describe('3-e: the PATH of the app', () => {
  it('keeps its order, and gets behind it only what it has not', () => {
    expect(widened('/usr/bin:/bin', '/opt/bin:/bin:/usr/bin:/home/u/bin')).toBe('/usr/bin:/bin:/opt/bin:/home/u/bin');
  });

  it('is its own as long as nothing is known', () => {
    expect(widened('/usr/bin:/bin:/usr/bin:', undefined)).toBe('/usr/bin:/bin:/usr/bin:');
    expect(widened('', '/a:/b:/a')).toBe('/a:/b');
  });
});

it('3-e: Windows has no login shell, and elsewhere it is the one of the user', () => {
  expect(loginShellOf({ SHELL: '/bin/zsh' }, 'win32').shell).toBeUndefined();
  expect(loginShellOf({ SHELL: '/bin/zsh' }, 'darwin')).toMatchObject({ shell: '/bin/zsh', ms: 10_000 });
  expect(loginShellOf({}, 'linux').shell).toMatch(/^\//);
});
