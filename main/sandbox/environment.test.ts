import { describe, expect, it } from 'vitest';
import { policyOf } from '../../app/sandbox/policy.fixture.ts';
import { MARK } from '../process/tree.ts';
import { LaunchEnvironment } from './environment.ts';

const host = {
  PATH: '/opt/bin:/usr/bin',
  LANG: 'de_DE.UTF-8',
  TZ: 'Europe/Berlin',
  FAKE_TOKEN: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  DB_PASSWORD: 'secret',
  SSH_AUTH_SOCK: '/run/agent',
  DOCKER_HOST: 'unix:///run/docker.sock',
  NODE_OPTIONS: '--require ./x',
  LD_PRELOAD: 'x.so',
  ELECTRON_RUN_AS_NODE: '1',
  TMPDIR: '/scratch',
  HTTPS_PROXY: 'http://u:p@proxy',
  no_proxy: 'localhost',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  HTTP_PROXY: '',
};
const environment = new LaunchEnvironment({ variables: host, userHome: '/home/u', instance: 'i7' });

describe('the environment of a launch', () => {
  it('PRC-4, 3-g: holds no secret and nothing that changes how a program is loaded', () => {
    const names = Object.keys(environment.of(policyOf('workspace-write', { network: 'host' }), {}));
    expect(names.filter((name) => /KEY|TOKEN|SECRET|PASSWORD|SOCK|HOST|OPTIONS|PRELOAD|ELECTRON/.test(name))).toEqual(
      [],
    );
  });

  it('PRC-4: keeps what was added by hand, whatever it is called', () => {
    expect(environment.of(policyOf('read-only'), { MY_TOKEN: 'given' })).toMatchObject({ MY_TOKEN: 'given' });
  });

  it('3-g: keeps the path, the language and the time zone', () => {
    const { PATH, HOME, LANG, TZ, TMPDIR } = environment.of(policyOf('read-only'), {});
    expect({ PATH, HOME, LANG, TZ, TMPDIR }).toEqual({
      PATH: host.PATH,
      HOME: '/home/u',
      LANG: 'de_DE.UTF-8',
      TZ: 'Europe/Berlin',
      TMPDIR: '/tmp',
    });
  });

  it('3-g: passes proxies and certificates only where there is a network', () => {
    const online = environment.of(policyOf('read-only', { network: 'host' }), {});
    expect(online).toMatchObject({
      HTTPS_PROXY: host.HTTPS_PROXY,
      no_proxy: 'localhost',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
    });
    expect(online).not.toHaveProperty('HTTP_PROXY');
    expect(environment.of(policyOf('read-only'), {})).not.toHaveProperty('HTTPS_PROXY');
    expect(environment.of(policyOf('danger-full-access'), {})).toHaveProperty('HTTPS_PROXY');
  });

  it('points caches into the private temp, and uses the temp of the host where there is no private one', () => {
    expect(environment.of(policyOf('read-only'), {})).toHaveProperty('npm_config_cache', '/tmp/.cache/npm');
    const open = environment.of(policyOf('danger-full-access'), {});
    expect(open).not.toHaveProperty('npm_config_cache');
    expect(open).toHaveProperty('TMPDIR', '/scratch');
  });

  it('marks every launch anew, with the instance that made it', () => {
    const marks = [1, 2].map(() => environment.of(policyOf('read-only'), { [MARK]: 'forged' })[MARK]);
    expect(new Set(marks).size).toBe(2);
    expect(marks.every((mark) => mark?.startsWith('i7.'))).toBe(true);
  });
});
