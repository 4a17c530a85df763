import { expect, it } from 'vitest';
import { dataFolder } from './home.ts';

it('the data folder is GATEHOUSE_HOME, else what the platform says', () => {
  expect(dataFolder({ GATEHOUSE_HOME: '/g', XDG_DATA_HOME: '/x' }, 'linux', '/u')).toBe('/g');
  expect(dataFolder({ GATEHOUSE_HOME: '', XDG_DATA_HOME: '/x' }, 'linux', '/u')).toBe('/x/gatehouse');
  expect(dataFolder({ XDG_DATA_HOME: 'relative' }, 'linux', '/u')).toBe('/u/.local/share/gatehouse');
  expect(dataFolder({}, 'linux', '/u')).toBe('/u/.local/share/gatehouse');
  expect(dataFolder({}, 'darwin', '/u')).toBe('/u/Library/Application Support/Gatehouse');
  expect(dataFolder({ APPDATA: '/u/Roaming' }, 'win32', '/u')).toBe('/u/Roaming/Gatehouse');
});
