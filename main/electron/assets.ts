import type { Protocol } from 'electron/main';
import { refusedAsset, resolveAsset, type Asset } from '../web/assets.ts';
import { crashAsset } from './crashPage.ts';
import { ORIGIN, SCHEME } from './origin.ts';
import type { Texts } from './text.ts';

export interface AssetsOptions {
  readonly root: string;
  /** Where a window begins. */
  readonly start: string;
  readonly texts: () => Texts;
}

/** Serves the window's own files under its own scheme: GET only, below one folder only, to one host only. */
export function serveAssets(protocol: Protocol, options: AssetsOptions): void {
  protocol.handle(SCHEME, async (request) => {
    const { status, headers, body } = await answer(request, options);
    return new Response(body, { status, headers });
  });
}

async function answer({ method, url }: Request, { root, start, texts }: AssetsOptions): Promise<Asset> {
  if (!url.startsWith(`${ORIGIN}/`)) return refusedAsset(404, 'There is no such host.');
  if (method !== 'GET') return refusedAsset(405, 'Files are only read.');
  const { pathname } = new URL(url);
  return crashAsset(pathname, texts(), start) ?? (await resolveAsset(root, pathname));
}
