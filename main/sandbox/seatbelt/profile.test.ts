import { describe, expect, it } from 'vitest';
import { policyOf, type PolicyChoice } from '../../../app/sandbox/policy.fixture.ts';
import type { ConfinedMode } from '../../../app/sandbox/mode.ts';
import type { Survey } from '../survey.ts';
import { seatbeltArguments, seatbeltProfile } from './profile.ts';
import { decide } from './rules.fixture.ts';

const survey: Survey = {
  roots: ['/w'],
  pinned: ['/w/.git'],
  guarded: ['/w/.git/config', '/w/.git/hooks'],
  hidden: [{ path: '/u/.gatehouse', folder: true }],
  sockets: [],
  runtime: ['/u/.gatehouse/runtime'],
  identities: new Map(),
};
const temp = '/u/.gatehouse/temp/s1';

const orderOf = (mode: ConfinedMode, choice?: PolicyChoice) => ({ policy: policyOf(mode, choice), survey, temp });

const HEAD = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read*)
(allow file-write-data (literal "/dev/null"))
`;

describe('the profile', () => {
  it('lets one root be written, and nothing of it that is protected', () => {
    const { profile, parameters } = seatbeltProfile(orderOf('workspace-write'));
    expect(profile).toBe(`${HEAD}(allow file-read* file-write* (subpath (param "PATH_0")))
(deny file-write-unlink (literal (param "PATH_0")))
(deny file-write-unlink (literal (param "PATH_1")))
(deny file-read* file-write* (subpath (param "PATH_2")))
(deny file-write* (subpath (param "PATH_3")))
(deny file-write* (subpath (param "PATH_4")))
(allow file-read* (subpath (param "PATH_5")))
(deny file-write* (subpath (param "PATH_5")))
(allow file-read* file-write* (subpath (param "PATH_6")))
(deny file-write-unlink (literal (param "PATH_6")))
(allow file-read-metadata (literal (param "PATH_2")))
(allow file-read-metadata (literal (param "PATH_7")))
(deny file-write-setugid)
`);
    expect(Object.values(parameters)).toEqual([
      '/w',
      '/w/.git',
      '/u/.gatehouse',
      '/w/.git/config',
      '/w/.git/hooks',
      '/u/.gatehouse/runtime',
      temp,
      '/u/.gatehouse/temp',
    ]);
  });

  it('lets nothing but the temp be written under read-only', () => {
    const { profile } = seatbeltProfile(orderOf('read-only'));
    expect(profile).toBe(`${HEAD}(allow file-read* (subpath (param "PATH_0")))
(deny file-read* file-write* (subpath (param "PATH_1")))
(allow file-read* (subpath (param "PATH_2")))
(deny file-write* (subpath (param "PATH_2")))
(allow file-read* file-write* (subpath (param "PATH_3")))
(deny file-write-unlink (literal (param "PATH_3")))
(allow file-read-metadata (literal (param "PATH_1")))
(allow file-read-metadata (literal (param "PATH_4")))
(deny file-write-setugid)
`);
  });

  it('never has a path in its text, whatever is in its name', () => {
    const roots = ['/w")) (allow default) (allow file-write* (subpath "/'];
    const { profile, parameters } = seatbeltProfile({ ...orderOf('workspace-write'), survey: { ...survey, roots } });
    expect(profile).not.toContain('allow default');
    expect(Object.values(parameters)).toContain(roots[0]);
  });
});

describe('what a confined process may ask for', () => {
  const ask = (operation: string, of?: string, choice?: PolicyChoice) =>
    decide(seatbeltProfile(orderOf('workspace-write', choice)), { operation, ...(of !== undefined && { of }) });

  it('is to run programs, and to signal its own', () => {
    expect([ask('process-exec', '/bin/sh'), ask('process-fork')]).toEqual(['allow', 'allow']);
    expect([ask('signal', 'same-sandbox'), ask('signal', 'others')]).toEqual(['allow', 'deny']);
  });

  it('is no service that would act for it outside, and none of what nobody has thought of', () => {
    for (const name of ['com.apple.coreservices.launchservicesd', 'com.apple.securityd.xpc', 'com.apple.pboard'])
      expect(ask('mach-lookup', name, { network: 'host' })).toBe('deny');
    for (const operation of [
      'appleevent-send',
      'lsopen',
      'iokit-open',
      'mach-register',
      'job-creation',
      'no-such-thing',
    ])
      expect(ask(operation)).toBe('deny');
    expect(ask('file-write-setugid', '/w/tool')).toBe('deny');
  });

  it('is the network where the settings say so, and no local socket of the host even then', () => {
    expect([ask('network-outbound', 'ip'), ask('network-bind', 'ip'), ask('system-socket')]).toEqual(
      Array(3).fill('deny'),
    );
    const online = { network: 'host', unixSockets: 'private' } as const;
    expect([ask('network-outbound', 'ip', online), ask('network-bind', 'ip', online)]).toEqual(['allow', 'allow']);
    expect(ask('network-outbound', '/private/var/run/docker.sock', online)).toBe('deny');
    expect(ask('network-outbound', `${temp}/own.sock`, online)).toBe('allow');
    expect(ask('network-outbound', `${temp}/own.sock`)).toBe('deny');
  });

  it('finds its way to a root below a hidden folder, and lists nothing on it', () => {
    expect(ask('file-read-metadata', '/u/.gatehouse/temp')).toBe('allow');
    expect(ask('file-read-data', '/u/.gatehouse/temp')).toBe('deny');
    expect(ask('file-read-metadata', '/u/.gatehouse/key')).toBe('deny');
    expect(ask('file-read-data', '/u/.gatehouse/runtime/node')).toBe('allow');
    expect(ask('file-write-data', '/u/.gatehouse/runtime/node')).toBe('deny');
  });
});

it('the command line defines every path and ends with the command, as it is', () => {
  const order = orderOf('read-only');
  const { profile } = seatbeltProfile(order);
  expect(seatbeltArguments('/usr/bin/sandbox-exec', order, ['sh', '-c', '-D x'])).toEqual([
    '/usr/bin/sandbox-exec',
    '-p',
    profile,
    '-DPATH_0=/w',
    '-DPATH_1=/u/.gatehouse',
    '-DPATH_2=/u/.gatehouse/runtime',
    `-DPATH_3=${temp}`,
    '-DPATH_4=/u/.gatehouse/temp',
    '--',
    'sh',
    '-c',
    '-D x',
  ]);
});
