/** The window's own address. A custom scheme of our own: no `file:`, no port (hosts.md, Electron security). */
export const SCHEME = 'app';
export const ORIGIN = `${SCHEME}://gatehouse`;
export const START = `${ORIGIN}/index.html`;

/** The addresses that a window may be at. */
export class OwnOrigins {
  /** Where a window begins. */
  readonly start: string;
  readonly #origins: ReadonlySet<string | undefined>;

  /** `devUrl`: where a development server has the window. */
  constructor(devUrl?: string) {
    this.start = devUrl ?? START;
    this.#origins = new Set([ORIGIN, ...(devUrl === undefined ? [] : [originOf(devUrl)])]);
  }

  owns(url: string): boolean {
    const origin = originOf(url);
    return origin !== undefined && this.#origins.has(origin);
  }
}

/** Not `URL.origin`: that is "null" for a scheme which Node does not know. */
function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** Who sent a request, as Electron tells it. */
export interface Sender {
  readonly url: string;
  /** Null for the top-level frame. */
  readonly parent: unknown;
}

/** Only the page itself may ask, no frame within it, and only while it is ours. Null: the frame is gone already. */
export function isTrusted(frame: Sender | null, origins: OwnOrigins): boolean {
  return frame !== null && frame.parent === null && origins.owns(frame.url);
}
