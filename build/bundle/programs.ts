import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { InlineConfig } from 'vite';

/** What runs under Node or in Electron's main process, and the body of a thread of theirs, which they load by path. */
export const PROGRAMS = ['main', 'serve', 'cli', 'ptc/parsing'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

/** The machine gives these, every other package is part of the bundle. */
export const ELECTRON = /^electron(\/|$)/;
const external = [ELECTRON, /^node:/, ...builtinModules];

/**
 * One file that holds all it needs. What two programs have in common is in both: a chunk of its own would be loaded before
 * the program that it takes things from, because CommonJS has no circles.
 */
export function programConfig(root: string, outDir: string, name: ProgramName): InlineConfig {
  return {
    ...common(root),
    ssr: { noExternal: true, target: 'node' },
    build: {
      ...written(outDir),
      ssr: join(root, 'main', `${name}.ts`),
      target: 'node24',
      rolldownOptions: { external, output: { ...oneFile, entryFileNames: `${name}.cjs` } },
    },
  };
}

/** A sandboxed preload script is a single CommonJS file, which can load nothing but `electron`. */
export function preloadConfig(root: string, outDir: string): InlineConfig {
  return {
    ...common(root),
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ...written(outDir),
      ssr: join(root, 'preload/preload.ts'),
      target: 'es2024',
      minify: true,
      rolldownOptions: { external, output: { ...oneFile, entryFileNames: 'preload.cjs' } },
    },
  };
}

const oneFile = { format: 'cjs', codeSplitting: false } as const;

function common(root: string): InlineConfig {
  return { configFile: false, envDir: false, root, publicDir: false, logLevel: 'warn' };
}

function written(outDir: string): NonNullable<InlineConfig['build']> {
  return { outDir, emptyOutDir: false, minify: false, sourcemap: true, reportCompressedSize: false };
}
