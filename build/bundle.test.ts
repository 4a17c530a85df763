import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { judgePreload, judgeProgram, judgeWindow, PRELOAD_LIMIT } from './bundle/judge.ts';
import { preloadConfig, programConfig, type ProgramName } from './bundle/programs.ts';
import { isFresh } from './bundle/stamp.ts';
import { windowBuildConfig } from './bundle/window.ts';
import { write } from './bundle/write.ts';
import { plantProduct, runScript, type Tree } from './tree.fixture.ts';

const build = (tree: string, env: NodeJS.ProcessEnv = {}) => runScript(tree, 'bundle.ts', env);
const read = (tree: string, file: string): string => readFileSync(join(tree, file), 'utf8');
const text = (length: number): string => randomBytes(length).toString('base64');

describe('npm run build', { timeout: 60_000 }, () => {
  it('builds the programs, the preload and the window for use, with all that they load by path', () => {
    const tree = plantProduct();
    // Whatever the person's own NODE_ENV is: the window of React for developers would be three times as large.
    const { status, output } = build(tree, { NODE_ENV: 'development' });
    expect(output).toMatch(/Built in .* the window loads [56]\d kB/);
    expect(status).toBe(0);
    const files = [
      'main.cjs',
      'serve.cjs',
      'cli.cjs',
      'cli.cjs.map',
      'ptc/kernel.cjs',
      'ptc/parsing.cjs',
      'native/fs-native-extensions.node',
    ];
    for (const file of files) expect(existsSync(join(tree, 'out/main', file)), file).toBe(true);
    expect(statSync(join(tree, 'out/main/native/rg')).mode & 0o111).toBe(0o111);
    expect(read(tree, 'out/preload/preload.cjs')).toContain('require("electron")');
    expect(read(tree, 'out/renderer/index.html')).toMatch(/src="\/assets\/index-.*\.js"/);
    expect(readdirSync(join(tree, 'out')).toSorted()).toEqual(['build.json', 'main', 'preload', 'renderer']);
  });

  it('builds again only when a source changed or a file is missing', () => {
    const tree = plantProduct({ 'main/core.test.ts': '' });
    const isOld = (): boolean => !isFresh(tree, join(tree, 'out'));
    expect(isOld()).toBe(true);
    expect(build(tree).output).toContain('Built');
    expect(build(tree).output).toBe('');
    writeFileSync(join(tree, 'main/core.test.ts'), 'export {};');
    expect(isOld()).toBe(false);
    const late = read(tree, 'renderer/late.ts');
    writeFileSync(join(tree, 'renderer/late.ts'), `${late}// more`);
    expect(isOld()).toBe(true);
    writeFileSync(join(tree, 'renderer/late.ts'), late);
    expect(isOld()).toBe(false);
    rmSync(join(tree, 'out/preload/preload.cjs'));
    expect(isOld()).toBe(true);
  });

  it('refuses a package that is not there, and writes nothing', () => {
    const tree = plantProduct({ 'main/core.ts': `import a from 'not-there';\n\nexport const core = () => a;\n` });
    const { status, output } = build(tree);
    expect(output).toContain('not-there');
    expect(status).toBe(1);
    expect(readdirSync(join(tree, 'out'))).toEqual([]);
  });

  it('says what it refuses of what was built, and keeps none of it', () => {
    const tree = plantProduct({ 'renderer/late.ts': `export const late = (): unknown => eval('1');\n` });
    const { status, output } = build(tree);
    expect(output).toMatch(/assets\/late-.*\.js uses eval/);
    expect(status).toBe(1);
    expect(existsSync(join(tree, 'out/renderer'))).toBe(false);
  });

  it('leaves the last good build as it was when a source is broken, and takes it for old', () => {
    const tree = plantProduct();
    build(tree);
    const before = read(tree, 'out/main/cli.cjs');
    writeFileSync(join(tree, 'main/core.ts'), `export const core = (: string => '';\n`);
    const { status, output } = build(tree);
    expect(output).toContain('main/core.ts');
    expect(status).toBe(1);
    expect(read(tree, 'out/main/cli.cjs')).toBe(before);
    expect(isFresh(tree, join(tree, 'out'))).toBe(false);
  });
});

const program = (name: ProgramName) => ({
  config: (root: string, out: string) => programConfig(root, out, name),
  judge: (output: Rolldown.RolldownOutput) => judgeProgram(output, name),
});
const parts = {
  main: program('main'),
  serve: program('serve'),
  cli: program('cli'),
  preload: { config: preloadConfig, judge: judgePreload },
  window: { config: windowBuildConfig, judge: judgeWindow },
} as const;

describe('the build refuses', () => {
  const late = (text: string): Tree => ({
    'renderer/main.tsx': `void import('./late.ts');\n`,
    'renderer/late.ts': text,
  });
  const window = (code: string): Tree => late(`export const late = (): unknown => ${code};\n`);

  it.each<readonly [what: string, part: keyof typeof parts, seed: Tree, told: string]>([
    [
      'electron in the browser host, by whatever way',
      'serve',
      { 'main/core.ts': `export const core = (): unknown => import('electron');\n` },
      'serve.cjs requires electron: only',
    ],
    [
      'electron in the command line alone',
      'cli',
      { 'main/cli.ts': `import { app } from 'electron/main';\n\napp.quit();\n` },
      'cli.cjs requires electron/main: only',
    ],
    [
      'a package that is only looked for while it runs',
      'main',
      {
        'main/late.cjs': `module.exports = require(process.env.LATE);\n`,
        'main/core.ts': `import late from './late.cjs';\n\nexport const core = () => late;\n`,
      },
      'requires <computed>',
    ],
    [
      'more than electron in the preload',
      'preload',
      { 'preload/preload.ts': `import { readFileSync } from 'node:fs';\n\nreadFileSync('/');\n` },
      'requires node:fs: a preload script',
    ],
    [
      'a preload that is more than its two functions',
      'preload',
      { 'preload/preload.ts': `console.log('${text(PRELOAD_LIMIT)}');\n` },
      'must stay below 2000',
    ],
    [
      'a window that loads too much at once',
      'window',
      { 'renderer/main.tsx': `console.log('${text(150_000)}');\n` },
      'before anything is seen',
    ],
    ['eval in the window', 'window', window(`eval('1')`), 'uses eval'],
    ['eval in the window by another way', 'window', window(`(0, eval)('1')`), 'uses eval'],
    ['a function made of a text in the window', 'window', window(`new Function('1')`), 'uses Function'],
    ['the same as a call', 'window', window(`globalThis.Function('1')`), 'uses Function'],
    ['wasm in the window', 'window', window(`WebAssembly.compile(new ArrayBuffer(8))`), 'uses WebAssembly'],
    [
      'wasm beside the window',
      'window',
      {
        'renderer/late.ts': `import url from './a.wasm?url';\n\nexport const late = () => url;\n`,
        'renderer/a.wasm': 'a',
      },
      'runs no wasm',
    ],
    [
      'schemas in the window',
      'window',
      late(`import * as z from 'zod';\n\nexport const schema = () => z.string();\n`),
      'holds zod',
    ],
    [
      'a script inside the page',
      'window',
      { 'renderer/index.html': `<!doctype html><title>A</title><script>alert(1)</script>\n` },
      'index.html holds a script',
    ],
  ])('%s', async (_what, part, seed, told) => {
    const tree = plantProduct(seed);
    const { config, judge } = parts[part];
    const problems = judge(await write(config(tree, join(tree, 'out'))));
    expect(problems.join('\n')).toContain(told);
  });

  it('nothing of a small product', async () => {
    const tree = plantProduct();
    const found = Object.values(parts).map(async ({ config, judge }) =>
      judge(await write(config(tree, join(tree, 'out')))),
    );
    expect((await Promise.all(found)).flat()).toEqual([]);
  });
});
