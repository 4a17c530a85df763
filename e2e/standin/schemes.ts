/**
 * Chromium knows no scheme of an app's own, so `app://gatehouse/x` is loaded as `https://gatehouse.app.standin.test/x`
 * and answered before it reaches the network. Only scripts in the page and Playwright see the difference.
 */
const SUFFIX = 'standin.test';

export const STANDIN_PATTERN = `https://*.${SUFFIX}/*`;

export function toWeb(url: string, schemes: Pick<ReadonlySet<string>, 'has'>): string {
  const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z0-9+-]*):\/\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  return schemes.has(scheme) ? `https://${host}.${scheme}.${SUFFIX}${rest}` : url;
}

export function toApp(url: string): string {
  const [, host, scheme, rest] = /^https:\/\/([^/]*)\.([a-z][a-z0-9+-]*)\.standin\.test(.*)$/s.exec(url) ?? [];
  return scheme === undefined ? url : `${scheme}://${host}${rest}`;
}

export function withoutHash(url: string): string {
  return url.replace(/#.*$/s, '');
}

/** Scheme and host, which is what an origin is for a scheme of an app's own too. */
export function originOf(url: string): string {
  const [origin] = /^[a-z][a-z0-9+-]*:\/\/[^/?#]*/.exec(url) ?? ['null'];
  return origin;
}
