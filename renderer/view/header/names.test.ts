import { describe, expect, it } from 'vitest';
import { en } from '../../text/en.ts';
import { agentName, lastOf, shortPath } from './names.ts';

describe('shortPath', () => {
  it('begins with ~ in the home folder, and only there', () => {
    expect(shortPath('/home/me/src/x', '/home/me')).toBe('~/src/x');
    expect(shortPath('/home/me', '/home/me')).toBe('~');
    expect(shortPath('/home/meena/x', '/home/me')).toBe('/home/meena/x');
    expect(shortPath('C:\\Users\\me\\x', 'C:\\Users\\me')).toBe('~\\x');
  });

  it('leaves everything as it is where the home is unknown or the root', () => {
    expect(shortPath('/srv/x', undefined)).toBe('/srv/x');
    expect(shortPath('/srv/x', '/')).toBe('/srv/x');
  });
});

it('lastOf names the folder itself, on every system', () => {
  expect(lastOf('/a/b/')).toBe('b');
  expect(lastOf('C:\\a\\b')).toBe('b');
  expect(lastOf('/')).toBe('/');
});

it('agentName tells the demo, a script by its file, and that there is none', () => {
  expect(agentName('demo', en)).toBe('offline demo');
  expect(agentName('script:/a/b/flow.json', en)).toBe('script flow.json');
  expect(agentName(undefined, en)).toBe('no agent');
});
