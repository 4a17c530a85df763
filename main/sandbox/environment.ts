import { TEMP } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { MARK, newMark } from '../process/tree.ts';

export type Variables = Readonly<Record<string, string>>;

export interface EnvironmentOptions {
  /** What is picked from: the app's own variables, or the login shell's where those are better. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly instance: string;
  /** The folders of a PATH, and behind them those that the login shell has besides. */
  readonly widenPath?: ((own: string) => string) | undefined;
}

const KEPT = ['LANG', 'TZ', 'TERM'];
const NETWORK =
  /^(HTTPS?_PROXY|ALL_PROXY|NO_PROXY|https?_proxy|all_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;
/** Caches that tools would otherwise write below the read-only home. */
const cachesIn = (temp: string): Variables => ({
  XDG_CACHE_HOME: `${temp}/.cache`,
  npm_config_cache: `${temp}/.cache/npm`,
  YARN_CACHE_FOLDER: `${temp}/.cache/yarn`,
  PIP_CACHE_DIR: `${temp}/.cache/pip`,
  GOCACHE: `${temp}/.cache/go-build`,
});

/**
 * The environment of a launch, from nothing: what is not named here does not pass, so no secret has to be recognised
 * (sandbox.md, Launch details). The launcher gets the same, or `/proc/1/environ` would tell the rest.
 */
export class LaunchEnvironment {
  readonly #options: EnvironmentOptions;

  constructor(options: EnvironmentOptions) {
    this.#options = options;
  }

  /** `extra` is added as it is: whoever starts the process vouches for it. `temp` is the private one, as it is seen from inside. */
  of(policy: SandboxPolicy, extra: Variables, temp: string = TEMP): Variables {
    const { userHome, instance, variables, widenPath = same } = this.#options;
    const confined = policy.mode !== 'danger-full-access';
    return {
      PATH: widenPath(variables['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'),
      HOME: userHome,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      NO_COLOR: '1',
      TMPDIR: confined ? temp : (variables['TMPDIR'] ?? '/tmp'),
      ...(confined && cachesIn(temp)),
      ...this.#picked(!confined || policy.settings.network === 'host'),
      GATEHOUSE_MODE: policy.mode,
      GATEHOUSE_WORKSPACE: policy.workspace.path,
      ...extra,
      [MARK]: newMark(instance),
    };
  }

  #picked(online: boolean): Variables {
    const picked: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.#options.variables)) {
      if (value && (KEPT.includes(name) || (online && NETWORK.test(name)))) picked[name] = value;
    }
    return picked;
  }
}

function same(path: string): string {
  return path;
}
