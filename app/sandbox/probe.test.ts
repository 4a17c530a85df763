import { describe, expect, it } from 'vitest';
import { CONFINED_MODES } from './mode.fixture.ts';
import type { Mode } from './mode.ts';
import { policyOf, type PolicyChoice } from './policy.fixture.ts';
import { claimAt, claimOn } from './probe.ts';

const folder = (mode: Mode, path: string, choice?: PolicyChoice) =>
  claimAt(path, `${path}/.new`, policyOf(mode, choice));

describe('what a policy claims of a place', () => {
  it('is the verdict on a new file in it', () => {
    expect(folder('workspace-write', '/w')).toBe('written');
    expect(folder('workspace-write', '/extra', { writableRoots: ['/extra'] })).toBe('written');
    expect(folder('workspace-write', '/w/.git/hooks')).toBe('denied');
    expect(claimAt('/w/.git/config', '/w/.git/config', policyOf('workspace-write'))).toBe('denied');
    expect(folder('workspace-write', '/etc')).toBe('denied');
    expect(folder('read-only', '/w')).toBe('denied');
  });

  it.each(CONFINED_MODES)('tells the private temp and what is hidden from what the host has, in %s', (mode) => {
    expect(folder(mode, '/tmp')).toBe('private');
    expect(folder(mode, '/tmp/of-the-host')).toBe('hidden');
    expect(folder(mode, '/home/u/.ssh', { hide: ['/home/u/.ssh'] })).toBe('hidden');
    expect(folder(mode, '/tmp/t/data', { workspace: '/tmp/t/w', hide: ['/tmp/t/data'] })).toBe('hidden');
  });

  it('holds back nothing under danger-full-access', () => {
    for (const path of ['/w', '/etc', '/tmp', '/hidden'])
      expect(folder('danger-full-access', path, { hide: ['/hidden'] })).toBe('written');
  });
});

describe('what a policy claims of the programs of the host', () => {
  it.each(CONFINED_MODES)('lets the network setting open loopback and never a local socket, in %s', (mode) => {
    const on = (choice: PolicyChoice) =>
      (['network', 'unix-socket'] as const).map((way) => claimOn(way, policyOf(mode, choice)));
    expect(on({})).toEqual(['blocked', 'blocked']);
    expect(on({ network: 'host', unixSockets: 'private' })).toEqual(['reached', 'blocked']);
  });

  it('lets everything be reached under danger-full-access', () => {
    expect(claimOn('network', policyOf('danger-full-access'))).toBe('reached');
    expect(claimOn('unix-socket', policyOf('danger-full-access'))).toBe('reached');
  });
});
