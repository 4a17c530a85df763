import type { IncomingHttpHeaders } from 'node:http';

/** What a client sent, before anything of it is believed. */
export interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

/** Where a window connects. */
export const SOCKET_PATH = '/ws';

/** Why this is not answered; undefined when it may be (hosts.md, Browser host security). */
export function refusalOf(asked: Asked): Refusal | undefined {
  return hostRefusal(asked) ?? methodRefusal(asked) ?? foreignOrigin(asked) ?? siteRefusal(asked);
}

/** Why this is not made a connection. Browsers send the Origin with every WebSocket, so one without it is no window. */
export function upgradeRefusalOf(asked: Asked): Refusal | undefined {
  const refusal = hostRefusal(asked) ?? methodRefusal(asked);
  if (refusal) return refusal;
  if (asked.headers.origin === undefined) return refused(403, 'A window names its Origin.');
  return foreignOrigin(asked) ?? siteRefusal(asked) ?? placeRefusal(asked);
}

/** The origin by which the client reached us, which port forwarding may have changed. Only of what was not refused. */
export function originOf({ headers }: Asked): string {
  return `http://${headers.host}`;
}

export function pathOf({ url = '' }: Asked): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** Any port. A name that merely resolves to this machine is how other sites get at what listens on it. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

function hostRefusal({ headers }: Asked): Refusal | undefined {
  if (headers.host !== undefined && LOOPBACK.test(headers.host)) return undefined;
  return refused(403, 'The Host must be a loopback name: 127.0.0.1, localhost or [::1].');
}

function methodRefusal({ method }: Asked): Refusal | undefined {
  return method === 'GET' ? undefined : refused(405, 'Only GET is answered.');
}

function foreignOrigin(asked: Asked): Refusal | undefined {
  const { origin } = asked.headers;
  if (origin === undefined || origin === originOf(asked)) return undefined;
  return refused(403, 'The Origin must be this server.');
}

/** A browser tells who caused a request. The page itself holds no data, so everybody may send a person to it. */
function siteRefusal(asked: Asked): Refusal | undefined {
  const site = asked.headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none' || opensThePage(asked)) return undefined;
  return refused(403, 'Other sites may not ask for this.');
}

function opensThePage(asked: Asked): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = asked.headers;
  return mode === 'navigate' && dest === 'document' && pathOf(asked) === '/';
}

function placeRefusal(asked: Asked): Refusal | undefined {
  return pathOf(asked) === SOCKET_PATH ? undefined : refused(404, `A window connects to ${SOCKET_PATH}.`);
}

function refused(status: number, reason: string): Refusal {
  return { status, reason };
}
