import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Json } from '../base/json.ts';
import type { LaunchSettings } from '../sandbox/policy.ts';
import { readJson } from './jsonPlaces.ts';
import { DEFAULT_SETTINGS, isIssue, launchSettings, readSettings, userDefault, type Settings } from './settings.ts';

const MODES = ['read-only', 'workspace-write', 'danger-full-access'];

describe('readSettings', () => {
  it.each(['readonly', 'Read-Only', 'workspace_write', '', null, true, 7])(
    '7-c: refuses the mode %j, naming key, value and what is allowed',
    (sandbox) => {
      expect(readSettings({ presets: { mine: { sandbox, approval: 'ask' } } })).toMatchObject({
        kind: 'issue',
        key: 'presets.mine.sandbox',
        value: sandbox,
        allowed: MODES,
        message: `presets.mine.sandbox is ${JSON.stringify(sandbox)}; allowed are ${MODES.join(', ')}`,
      });
    },
  );

  it('7-c: refuses an unknown approval policy and a missing one', () => {
    const table = (entry: Json) => readSettings({ presets: { mine: entry } });
    expect(table({ sandbox: 'read-only', approval: 'allways' })).toMatchObject({
      key: 'presets.mine.approval',
      allowed: ['ask', 'never'],
    });
    expect(table({ sandbox: 'read-only' })).toMatchObject({
      message: 'presets.mine.approval is missing; allowed are ask, never',
    });
  });

  it.each([
    ['theme', 'blue', ['system', 'light', 'dark']],
    ['theme', null, ['system', 'light', 'dark']],
    ['language', 'de', ['system', 'en', 'zh']],
    ['notifications', 'yes', ['true', 'false']],
    ['welcomed', 1, ['true', 'false']],
  ])('7-c: refuses window.%s %j, naming key, value and what is allowed', (key, value, allowed) => {
    expect(readSettings({ window: { [key]: value } })).toMatchObject({
      kind: 'issue',
      key: `window.${key}`,
      value,
      allowed,
      message: `window.${key} is ${JSON.stringify(value)}; allowed are ${allowed.join(', ')}`,
    });
  });

  it('7-c: refuses a shortcut that is no text, and names its command', () => {
    expect(readSettings({ window: { shortcuts: { palette: 7 } } })).toMatchObject({
      key: 'window.shortcuts.palette',
      value: 7,
      message: expect.stringContaining('expected string') as string,
    });
  });

  it('fills in what a person did not choose for the window', () => {
    expect(good({ window: { theme: 'dark', shortcuts: { palette: 'Alt+P' }, later: 1 } }).window).toEqual({
      theme: 'dark',
      language: 'system',
      notifications: true,
      shortcuts: { palette: 'Alt+P' },
      welcomed: false,
    });
  });

  it('7-c: refuses a preset named custom and names it', () => {
    expect(readSettings({ presets: { custom: { sandbox: 'read-only', approval: 'ask' } } })).toMatchObject({
      key: 'presets.custom',
      message: expect.stringContaining('"custom"') as string,
    });
  });

  it.each<[string, Json]>([
    ['an array', []],
    ['an empty table', { presets: {} }],
    ['a preset whose name would lose its place', { presets: { 7: { sandbox: 'read-only', approval: 'ask' } } }],
    ['a relative hidden path', { launch: { hide: ['keys'] } }],
    ['a protected name with a separator', { launch: { protectedNames: ['a/b'] } }],
    ['a network we do not know', { launch: { network: 'some' } }],
    ['an enforcement we do not know', { launch: { requireEnforcement: 'partial' } }],
    ['a limit of nothing', { launch: { limits: { processes: 0 } } }],
    ['a workspace that is no path', { workspaces: { project: {} } }],
    ['a time that is no number', { timeouts: { wallMs: '10' } }],
  ])('refuses %s as a whole', (_, value) => {
    expect(readSettings(value)).toMatchObject({ kind: 'issue' });
  });

  it('keeps the declaration order and fills the defaults in, passing over what it does not know', () => {
    const settings = good({
      theme: 'dark',
      presets: {
        wide: { sandbox: 'danger-full-access', approval: 'never', colour: 'red' },
        careful: { sandbox: 'read-only', approval: 'ask', label: 'Careful' },
      },
      timeouts: { wallMs: 1000 },
    });
    expect(settings.presets).toEqual([
      { name: 'wide', sandbox: 'danger-full-access', approval: 'never', label: 'wide', description: '' },
      { name: 'careful', sandbox: 'read-only', approval: 'ask', label: 'Careful', description: '' },
    ]);
    expect(settings.timeouts).toEqual({ busyMs: 60_000, wallMs: 1000, idleMs: 1_800_000 });
    expect(good({})).toEqual(DEFAULT_SETTINGS);
  });
});

describe('userDefault', () => {
  it('is the one of the workspace, else that of the user', () => {
    const settings = good({
      defaultPreset: 'read-only',
      workspaces: { '/w': { defaultPreset: 'danger-full-access' } },
    });
    expect(userDefault(settings, '/w').preset.name).toBe('danger-full-access');
    expect(userDefault(settings, '/w/x')).toEqual({ preset: settings.presets[0] });
  });

  it('falls back to the narrowest preset and says so when the stored one is gone', () => {
    const settings = good({
      defaultPreset: 'gone',
      presets: {
        wide: { sandbox: 'danger-full-access', approval: 'never' },
        narrow: { sandbox: 'workspace-write', approval: 'ask' },
      },
    });
    expect(userDefault(settings)).toMatchObject({ preset: { name: 'narrow' }, missing: 'gone' });
  });
});

describe('launchSettings', () => {
  it('adds hidden and protected entries up, and takes the nearest of the rest', () => {
    const settings = good({
      launch: { hide: ['/keys'], network: 'host', limits: { processes: 5 }, writableRoots: ['/cache'] },
      workspaces: {
        '/w': { launch: { hide: ['/more'], network: 'none', limits: { tempBytes: 9 }, writableRoots: [] } },
      },
    });
    expect(launchSettings(BASE, settings, '/other')).toEqual({
      ...BASE,
      hide: ['/home/gatehouse', '/keys'],
      network: 'host',
      writableRoots: ['/cache'],
      limits: { ...BASE.limits, processes: 5 },
    });
    expect(launchSettings(BASE, settings, '/w')).toEqual({
      ...BASE,
      hide: ['/home/gatehouse', '/keys', '/more'],
      limits: { ...BASE.limits, processes: 5, tempBytes: 9 },
    });
  });
});

describe('readJson', () => {
  it('reads everything that JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(readJson(text)).toMatchObject({ kind: 'json', value: JSON.parse(text) as Json });
      }),
    );
  });

  it('refuses everything that JSON.parse refuses', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '01',
      'true',
      'nul',
      ' ',
      '\n',
      '\\u12',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const twice = /written twice/;
        const read = readJson(text);
        const refused = read.kind === 'fault' && !twice.test(read.message);
        expect(refused).toBe(!parses(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'there is "\\"" where "," or "}" should be'],
    ['{"a": [1, 2', 1, 12, 'the file ends where "," or "]" should be'],
    ['{"a": 1, "a": 2}', 1, 10, 'the key "a" is written twice'],
    ['{} {}', 1, 4, 'more follows after the end of the JSON value'],
    ['// no\n{}', 1, 1, 'there is "/" where a value should be'],
    ['', 1, 1, 'the file is empty'],
  ])('finds the fault in %j', (text, line, column, message) => {
    expect(readJson(text)).toEqual({ kind: 'fault', message, position: { line, column } });
  });

  it('finds every value again, and for a missing one its nearest ancestor', () => {
    const read = readJson('{\n  "presets": {\n    "mine": { "sandbox": "x" }\n  }\n}');
    const at = read.kind === 'json' ? read.at : () => undefined;
    expect(at(['presets', 'mine', 'sandbox'])).toEqual({ line: 3, column: 26 });
    expect(at(['presets', 'mine', 'approval'])).toEqual({ line: 3, column: 13 });
    expect(at([])).toEqual({ line: 1, column: 1 });
  });

  it('ends with a fault, not with a stack overflow, in a deep nest', () => {
    expect(readJson('['.repeat(100_000))).toMatchObject({ kind: 'fault', message: 'nested deeper than 100' });
  });
});

const BASE: LaunchSettings = {
  writableRoots: [],
  hide: ['/home/gatehouse'],
  protectedNames: [],
  network: 'none',
  unixSockets: 'block',
  requireEnforcement: 'any',
  limits: {
    heapBytes: 1,
    dataBytes: 1,
    memoryBytes: 1,
    processes: 1,
    descriptors: 1,
    fileBytes: 1,
    outputBytes: 1,
    tempBytes: 1,
  },
};

function good(value: Json): Settings {
  const settings = readSettings(value);
  if (isIssue(settings)) throw new Error(settings.message);
  return settings;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
