import { CONTENT_SECURITY_POLICY, type Asset } from '../web/assets.ts';
import { ORIGIN } from './origin.ts';
import type { Texts } from './text.ts';

const PATH = '/stopped';

/** Where a window goes whose own page cannot be kept open. `from` is where it was: the way back leads there. */
export function crashUrl(from: string): string {
  return `${ORIGIN}${PATH}${URL.canParse(from) ? new URL(from).hash : ''}`;
}

export function isCrashUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === PATH && url.startsWith(`${ORIGIN}/`);
}

/** Its files, which are not among those that were built, since what is broken may be those. `start`: the way back. */
export function crashAsset(pathname: string, { crash, language }: Texts, start: string): Asset | undefined {
  switch (pathname) {
    case PATH:
      return asset('text/html', page(crash, language));
    case `${PATH}.js`:
      return asset('text/javascript', script(start));
    case `${PATH}.css`:
      return asset('text/css', STYLE);
    default:
      return undefined;
  }
}

function asset(type: string, text: string): Asset {
  const headers = {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers, body: Buffer.from(text) };
}

function page({ title, text, reload }: Texts['crash'], language: string): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Gatehouse</title>
<link rel="stylesheet" href="${PATH}.css">
<main role="alert"><h1>${title}</h1><p>${text}</p><button type="button" autofocus>${reload}</button></main>
<script src="${PATH}.js"></script>
</html>
`;
}

function script(start: string): string {
  const way = start.startsWith(`${ORIGIN}/`) ? new URL(start).pathname : start;
  return `document.querySelector('button').addEventListener('click', () => location.replace(${JSON.stringify(way)} + location.hash));\n`;
}

const STYLE = `main { max-width: 44ch; margin: 20vh auto; padding: 0 24px; font: 13px/1.5 system-ui, sans-serif; }
h1 { font-size: 16px; }
button { font: inherit; padding: 6px 14px; }
`;
