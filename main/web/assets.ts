import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** What a host answers a window that loads a file of its own. */
export interface Asset {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
}

/** Of every page of the window, in both hosts (hosts.md). Nothing of the window makes Trusted Types, so nothing may. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const SECURITY: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/**
 * The file below `root` that a path of a URL names, as it stands in the URL. Only plain names are taken and nothing is
 * decoded, so there is no spelling of `..`, NUL or a second slash to be missed; links that lead out of `root` lead nowhere.
 */
export async function resolveAsset(root: string, pathname: string): Promise<Asset> {
  const path = pathname === '/' ? '/index.html' : pathname;
  if (!PLAIN.test(path)) return refusedAsset(400, 'This is no path of the window.');
  const type = TYPES[extname(path)];
  const body = type === undefined ? undefined : await contentOf(root, path);
  if (type === undefined || !body) return refusedAsset(404, 'The window has no such file.');
  // The names of assets are made of their content.
  const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : NO_STORE;
  return { status: 200, headers: headersOf(type, caching), body };
}

/** A refusal says why, in words, and is never kept by the browser. */
export function refusedAsset(status: number, reason: string): Asset {
  return { status, headers: headersOf('text/plain; charset=utf-8', NO_STORE), body: Buffer.from(`${reason}\n`) };
}

const NO_STORE = 'no-store';
/** No name starts with a dot, and `%` is in none. */
const PLAIN = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;

function headersOf(type: string, caching: string): Readonly<Record<string, string>> {
  return { ...SECURITY, 'content-type': type, 'cache-control': caching };
}

async function contentOf(root: string, path: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    const [base, file] = await Promise.all([realpath(root), realpath(join(root, path))]);
    if (!file.startsWith(base + sep) || !(await stat(file)).isFile()) return undefined;
    return await readFile(file);
  } catch {
    return undefined; // It is not there, or not for us: the window need not know which.
  }
}
