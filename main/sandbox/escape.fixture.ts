/** Where a probe tries to get out of: every path is on the host, and watched there. */
export interface Prison {
  readonly workspace: string;
  /** Folders and files that must not change. */
  readonly outside: string;
  readonly sibling: string;
  readonly userHome: string;
  readonly hidden: string;
  readonly home: string;
  /** Of a process of the same user on the host, with `marker` as an argument. */
  readonly hostPid: number;
  readonly marker: string;
  /** In the environment of whoever launches. */
  readonly secret: string;
  readonly port: number;
  readonly sockets: readonly string[];
  readonly sharedMemory: number;
  readonly leaked: number;
  readonly tempBytes: number;
}

/** One way out. It is held when the watched world did not change, and `held` agrees where there is more to say. */
export interface Escape {
  readonly name: string;
  readonly sh?: (prison: Prison) => string;
  readonly node?: (prison: Prison) => string;
  readonly held?: (ran: { readonly output: string; readonly exitCode: number | null }) => boolean;
  /** Unconfined it changes the watched world: proof that the probe is one. */
  readonly bites?: true;
  /** It ends, fills or crowds what it runs in: nothing else is tried there. */
  readonly spoils?: true;
}
