import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/** The name Electron gives to the world that a preload runs in. */
export const WORLD = 'Electron Isolated Context';
/** How the isolated world reaches the main process, and how the main process reaches it. */
export const POST = '__standinPost';
export const RECEIVE = '__standinReceive';

interface PreloadOptions {
  readonly preload: string;
  readonly secret: string;
}

/** Runs in the page's own world before any of its scripts. */
export function mainWorldScript(secret: string): string {
  return `(() => {\n${textOf('bridge.ts')}\nopenBridge('main', ${JSON.stringify(secret)});\n})();`;
}

/** Runs in the isolated world: the preload, unmodified, in what a sandboxed preload finds. Main frames only. */
export function preloadScript({ preload, secret }: PreloadOptions): string {
  const { node, chrome, electron } = process.versions as Record<string, string | undefined>;
  const about = { secret, platform: process.platform, arch: process.arch, versions: { node, chrome, electron } };
  return `if (window === window.top) (() => {
const world = (() => {
${['codec.ts', 'bridge.ts', 'preloadWorld.ts'].map(textOf).join('\n')}
const post = globalThis[${JSON.stringify(POST)}];
delete globalThis[${JSON.stringify(POST)}];
return openPreloadWorld(${JSON.stringify(about)}, post);
})();
globalThis[${JSON.stringify(RECEIVE)}] = world.receive;
const module = { exports: {} };
((require, process, exports) => {
${readFileSync(preload, 'utf8')}
})(world.require, world.process, module.exports);
})();
//# sourceURL=${preload}`;
}

/** A file of `page/` as a piece of plain script. Its imports are pieces that stand before it. */
function textOf(name: string): string {
  const source = readFileSync(join(import.meta.dirname, 'page', name), 'utf8');
  return stripTypeScriptTypes(source)
    .replaceAll(/^import [^;]*;$/gm, '')
    .replaceAll(/^export (?=function|const|class)/gm, '');
}
