import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { InlineConfig, Rolldown } from 'vite';
import { copyBesides } from './bundle/besides.ts';
import { entrySize, judgePreload, judgeProgram, judgeWindow } from './bundle/judge.ts';
import { preloadConfig, programConfig, PROGRAMS } from './bundle/programs.ts';
import { isFresh, sourcesDigest, stamp, stampPath } from './bundle/stamp.ts';
import { windowBuildConfig } from './bundle/window.ts';
import { write } from './bundle/write.ts';

export type Bundled =
  | { readonly kind: 'built'; readonly entryBytes: number }
  /** What was built before is left as it was. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

const FOLDERS = ['main', 'preload', 'renderer'] as const;

/** Builds everything below `out`, or nothing: a build that is refused or fails replaces no file. */
export async function bundle(root: string): Promise<Bundled> {
  // A value of the person's own would make a development build of the window.
  process.env['NODE_ENV'] = 'production';
  const out = join(root, 'out');
  const next = join(out, `.next-${process.pid}`);
  try {
    // Before the files are read: what changes meanwhile is built the next time.
    const sources = sourcesDigest(root);
    const programs = PROGRAMS.map((name) => {
      return make(programConfig(root, join(next, 'main'), name), (output) => judgeProgram(output, name));
    });
    const preload = make(preloadConfig(root, join(next, 'preload')), judgePreload);
    const window = make(windowBuildConfig(root, join(next, 'renderer')), judgeWindow);
    const parts = [...programs, preload, window];
    // When one of them fails, none may still be writing.
    await Promise.allSettled(parts);
    const problems = (await Promise.all(parts)).flatMap((part) => part.problems);
    if (problems.length > 0) return { kind: 'refused', problems };
    copyBesides(root, join(next, 'main'));
    replace(out, next);
    stamp(out, sources, FOLDERS);
    return { kind: 'built', entryBytes: entrySize((await window).output) };
  } catch (fault) {
    // The bundler tells what is wrong with a source, and where, in its message.
    if (fault instanceof Error && 'errors' in fault) return { kind: 'refused', problems: [fault.message] };
    throw fault;
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}

/** Builds only what the sources have left behind. False: it was refused, and the problems were said. */
export async function bundleIfNeeded(root: string): Promise<boolean> {
  if (isFresh(root, join(root, 'out'))) return true;
  const start = performance.now();
  const bundled = await bundle(root);
  if (bundled.kind === 'refused') {
    for (const problem of bundled.problems) console.error(problem);
    return false;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const entry = Math.round(bundled.entryBytes / 1000);
  console.log(`Built in ${seconds} s; the window loads ${entry} kB (gzip) before it is seen`);
  return true;
}

async function make(config: InlineConfig, judge: (output: Rolldown.RolldownOutput) => string[]) {
  const output = await write(config);
  return { output, problems: judge(output) };
}

function replace(out: string, next: string): void {
  // Without its stamp a half replaced build is never taken for a whole one.
  rmSync(stampPath(out), { force: true });
  for (const folder of FOLDERS) {
    mkdirSync(out, { recursive: true });
    rmSync(join(out, folder), { recursive: true, force: true });
    renameSync(join(next, folder), join(out, folder));
  }
}

if (import.meta.main) process.exitCode = (await bundleIfNeeded(process.cwd())) ? 0 : 1;
