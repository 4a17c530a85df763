/**
 * A path as the host knows it and as a sandbox sees it. They differ only in the Session's private temp, which is seen as
 * `/tmp` and lives in the Compartment: there, `host` is undefined until the Compartment runs.
 */
export type Place = { readonly kind: 'host'; readonly path: string } | { readonly kind: 'temp'; readonly path: string };
// `path` is absolute, canonical and as seen from inside; for kind `host` it is the host's path too.
