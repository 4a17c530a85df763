declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type SessionId = Branded<'SessionId'>;
export type CallId = Branded<'CallId'>;
export type ApprovalId = Branded<'ApprovalId'>;
export type CleanupId = Branded<'CleanupId'>;
export type EnvironmentId = Branded<'EnvironmentId'>;
export type JobId = Branded<'JobId'>;

const SHAPE = /^[A-Za-z0-9_-]{1,64}$/;

/** Our own ids: opaque, and safe as one path component (contract.md, Conventions). */
export function isId(text: string): boolean {
  return SHAPE.test(text);
}

/** Makes ids of one kind. The random part is an argument: the core has no source of randomness. */
export interface Ids {
  readonly session: () => SessionId;
  readonly approval: () => ApprovalId;
  readonly cleanup: () => CleanupId;
  readonly environment: () => EnvironmentId;
  readonly job: () => JobId;
}

export function createIds(random: () => string): Ids {
  const make = (prefix: string) => {
    const id = `${prefix}${random()}`;
    if (!isId(id)) throw new Error(`Not an id: ${id}`);
    return id;
  };
  return {
    // Checked one line above; the brand only says which kind it is.
    session: () => make('s_') as SessionId,
    approval: () => make('a_') as ApprovalId,
    cleanup: () => make('k_') as CleanupId,
    environment: () => make('e_') as EnvironmentId,
    job: () => make('j_') as JobId,
  };
}
