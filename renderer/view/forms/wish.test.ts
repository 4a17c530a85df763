import { describe, expect, it } from 'vitest';
import { RequestError } from '../../../app/contract/reply.ts';
import { inputOf, lackOf, pathOf, troubleOf, type Wish } from './wish.ts';

const wish: Wish = {
  folder: '/w',
  preset: 'read-only',
  agent: 'demo',
  script: '',
  title: '',
  userHome: '/home/me',
  confirmed: [],
};

describe('a new Session that is wished for', () => {
  it('lacks a folder, a whole path, or the file of its script', () => {
    expect(lackOf(wish)).toBeUndefined();
    expect(lackOf({ ...wish, folder: '  ' })).toEqual({ field: 'folder', lack: 'folder' });
    expect(lackOf({ ...wish, folder: 'project' })).toEqual({ field: 'folder', lack: 'absolute' });
    expect(lackOf({ ...wish, agent: 'script' })).toEqual({ field: 'script', lack: 'script' });
    expect(lackOf({ ...wish, agent: 'script', script: 's.json' })).toEqual({ field: 'script', lack: 'absolute' });
    expect(lackOf({ ...wish, agent: 'script', script: '~/s.json' })).toBeUndefined();
    expect(lackOf({ ...wish, folder: String.raw`C:\work` })).toBeUndefined();
  });

  it('knows the home folder by its short name, and nothing else by it', () => {
    expect(pathOf('~', '/home/me')).toBe('/home/me');
    expect(pathOf(' ~/a b ', '/home/me/')).toBe('/home/me/a b');
    expect(pathOf('~other/x', '/home/me')).toBe('~other/x');
    expect(pathOf('/a/~/b', '/home/me')).toBe('/a/~/b');
    expect(pathOf('~/a', undefined)).toBe('~/a');
  });

  it('asks for nothing that was left empty', () => {
    expect(inputOf(wish)).toEqual({ workspace: '/w', preset: 'read-only', agent: 'demo' });
    expect(inputOf({ ...wish, agent: 'script', script: '~/s.json', title: ' T ', confirmed: ['home'] })).toEqual({
      workspace: '/w',
      preset: 'read-only',
      agent: 'script:/home/me/s.json',
      title: 'T',
      confirmed: ['home'],
    });
  });

  it('is told at the field it is about why it is not there', () => {
    const refused = (code: ConstructorParameters<typeof RequestError>[0], confirm?: readonly string[]) =>
      troubleOf(new RequestError(code, 'Why.', { confirm }));
    expect(refused('workspace-missing')).toEqual({ field: 'folder', message: 'Why.' });
    expect(refused('workspace-refused', ['home'])).toEqual({ field: 'folder', message: 'Why.', confirm: ['home'] });
    expect(refused('workspace-refused')).toEqual({ field: 'folder', message: 'Why.' });
    expect(refused('unknown-preset')).toEqual({ field: 'preset', message: 'Why.' });
    expect(refused('script-invalid')).toEqual({ field: 'script', message: 'Why.' });
    expect(refused('storage')).toEqual({ message: 'Why.' });
    expect(troubleOf(new Error('Lost.'))).toEqual({ message: 'Lost.' });
  });
});
