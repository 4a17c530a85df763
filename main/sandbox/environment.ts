import type { SandboxPolicy } from '../../app/sandbox/policy.ts';

export type Variables = Readonly<Record<string, string>>;

export interface EnvironmentSource {
  /** The variables of the app, or of the login shell where those are better. */
  readonly host: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly policy: SandboxPolicy;
  /** Set by us and added as they are. */
  readonly extra: Variables;
}

const KEPT = ['LANG', 'TZ'] as const;
const NETWORK =
  /^(HTTPS?_PROXY|ALL_PROXY|NO_PROXY|https?_proxy|all_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;
/** Caches that tools would otherwise write below the read-only home. */
const CACHES: Variables = {
  XDG_CACHE_HOME: '/tmp/.cache',
  npm_config_cache: '/tmp/.cache/npm',
  YARN_CACHE_FOLDER: '/tmp/.cache/yarn',
  PIP_CACHE_DIR: '/tmp/.cache/pip',
  GOCACHE: '/tmp/.cache/go-build',
};

/**
 * The whole environment of a launch, from nothing: what is not named here does not pass, so no secret has to be
 * recognised (sandbox.md, Launch details). The launcher gets the same, or `/proc/1/environ` would tell the rest.
 */
export function environmentOf({ host, home, policy, extra }: EnvironmentSource): Variables {
  const confined = policy.mode !== 'danger-full-access';
  const variables: Record<string, string> = {
    PATH: host['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    TMPDIR: confined ? '/tmp' : (host['TMPDIR'] ?? '/tmp'),
    GATEHOUSE_MODE: policy.mode,
    GATEHOUSE_WORKSPACE: policy.workspace.path,
    ...(confined && CACHES),
  };
  const online = !confined || policy.settings.network === 'host';
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || value === '') continue;
    if (KEPT.some((kept) => kept === name) || (online && NETWORK.test(name))) variables[name] = value;
  }
  return { ...variables, ...extra };
}

/** Lets git work in a folder of another owner: for exactly this root, and for this launch alone. */
export function trustForGit(root: string): Variables {
  return { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: root };
}
