import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Which sources a build was made of: it is made again when one of them changed, or when a file of it is missing.

const SOURCES = [
  '{app,main,preload,renderer,build/bundle}/**/*.{ts,tsx,cjs,css,html,json,svg}',
  'build/bundle.ts',
  'build/tsconfig.base.json',
  'package.json',
  'package-lock.json',
];
const UNUSED = ['**/*.{test,contract,fixture}.{ts,tsx}'];

interface Stamp {
  readonly sources: string;
  /** Name below `out` to size. */
  readonly files: Readonly<Record<string, number>>;
}

export function sourcesDigest(root: string): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of globSync(SOURCES, { cwd: root, exclude: UNUSED }).toSorted()) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** `built`: what of `out` was made from the sources with this digest. */
export function stamp(out: string, sources: string, built: readonly string[]): void {
  const names = globSync(`{${built.join(',')}}/**`, { cwd: out });
  const files = names.flatMap((name) => {
    const stats = statSync(join(out, name));
    return stats.isFile() ? [[name, stats.size] as const] : [];
  });
  const text: Stamp = { sources, files: Object.fromEntries(files) };
  writeFileSync(stampPath(out), JSON.stringify(text, undefined, 1));
}

export function isFresh(root: string, out: string): boolean {
  const last = readStamp(out);
  if (last === undefined || last.sources !== sourcesDigest(root)) return false;
  return Object.entries(last.files).every(([name, size]) => {
    return statSync(join(out, name), { throwIfNoEntry: false })?.size === size;
  });
}

export function stampPath(out: string): string {
  return join(out, 'build.json');
}

function readStamp(out: string): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(stampPath(out), 'utf8')) as Stamp; // Written above; anything else does not fit.
  } catch {
    return undefined; // never built, or broken off
  }
}
