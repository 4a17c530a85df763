import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Completion } from '../../app/ptc/nodeProvider.ts';
import { World, type TestSession } from './world.fixture.ts';

let world: World;
let session: TestSession;
beforeAll(async () => {
  world = await World.open();
  session = await world.session();
  await writeFile(join(session.workspace, 'm.mjs'), 'export default 7;\nexport const named = 8;');
});
afterAll(() => world.close());

/** Runs one after the other in one retained Environment; the last value. */
async function values(...codes: readonly string[]): Promise<unknown> {
  let last: unknown;
  for (const code of codes) last = await session.value(code);
  return last;
}

async function thrown(code: string): Promise<Completion & { kind: 'exception' }> {
  const completion = await session.run(code);
  if (completion.kind !== 'exception') throw new Error(JSON.stringify(completion));
  return completion;
}

describe('declarations', () => {
  it('live on in the next program', async () => {
    expect(
      await values(
        'const a = 41; let b = 1; class C { m() { return 7 } }; function f() { return a + b }; 0',
        '[f(), new C().m()]',
      ),
    ).toEqual([42, 7]);
  });

  it.each([
    ['const r1 = 1; 0', 'const r1 = 2; r1', 2],
    ['class R2 {}; 0', 'class R2 { x = 3 }; new R2().x', 3],
    ['function r3() {}; 0', 'let r3 = 4; r3', 4],
    ['let r4 = 1; 0', 'function r4() { return 5 }; r4()', 5],
    ['const URL = 1; 0', 'const URL = 6; URL', 6],
  ])('take a name again: %s, then %s', async (first, second, value) => {
    expect(await values(first, second)).toBe(value);
  });

  it('are seen by closures of earlier programs when they are made again', async () => {
    expect(await values('const q = 1; const readQ = () => q; 0', 'const q = 2; readQ()')).toBe(2);
  });

  it('leave the names of Node itself alone when one is declared', async () => {
    const fresh = await world.session('s_builtin');
    await fresh.value('const process = 1; 0');
    expect(await fresh.value('[process, globalThis.process.cwd()]')).toEqual([1, fresh.workspace]);
  });

  it('8-d: a failed declaration does not spoil its name, and the error names what was not updated', async () => {
    await values('let body = "old"; 0');
    expect(await thrown('let first = missing')).toMatchObject({ name: 'ReferenceError' });
    expect(await values('let first = 1; first')).toBe(1);
    const failed = await thrown('let b8 = 2; throw new Error("half"); let body = "new"');
    expect(failed.message).toBe('half\nNot updated: body');
    expect(failed.stack).toContain('Not updated: body');
    expect(await values('[first, b8, body]')).toEqual([1, 2, 'old']);
  });

  it('live on from a program that returns at its top level', async () => {
    const code = `const w1 = 3; class W2 {} function w3() { return w1 } import { sep as w4 } from 'node:path';
      const { w5 } = { w5: 1 }, w6 = [2]; let w7;
      if (w1) return 1;`;
    expect(await values(code, '[w1, typeof W2, w3(), w4, w5, w6, w7 === undefined]')).toEqual([
      3,
      'function',
      3,
      '/',
      1,
      [2],
      true,
    ]);
  });

  it('are listed by name', async () => {
    await values('let listed = 1; const { deep: [alsoListed] } = { deep: [1] }; 0');
    expect(session.environments.list()[0]?.variables).toEqual(expect.arrayContaining(['listed', 'alsoListed']));
  });
});

describe('the value of a program', () => {
  it.each([
    ['await at the top level', 'const x = await Promise.resolve(3); x * 2', 6],
    ['await in a destructuring', 'const { p, q: [z] } = await Promise.resolve({ p: 1, q: [2] }); [p, z]', [1, 2]],
    ['for await', 'let s = 0; for await (const v of (async function* () { yield 1; yield 2 })()) s += v; s', 3],
    ['await in a loop', 'for (const i of [1, 2]) { await null; var lastI = i }; lastI', 2],
    ['a statement', 'if (true) { 42 }', 42],
    ['an object literal', '{a: 1, b: 2}', { a: 1, b: 2 }],
    ['a block', '{ const inner = 5; inner + 1 }', 6],
    ['a promise', 'Promise.resolve("resolved")', 'resolved'],
    ['return', 'return 5', 5],
    ['a last expression beside a return', 'if (false) return 1;\n"last"', 'last'],
    ['a trailing comment', '1 // c', 1],
    ['a directive', '"use strict"', 'use strict'],
    ['this', 'this === globalThis', true],
    [
      'a template with code like text',
      '`${await Promise.resolve(1)}${/im(p)ort\\(/.source}import(x)`',
      '1im(p)ort\\(import(x)',
    ],
    ['objects of one realm', '({}) instanceof Object && new Uint8Array(1) instanceof Uint8Array', true],
    ['TypeScript', 'const n: number = 1; n as number', 1],
    ['TypeScript with return', 'type T = string;\nconst t: T = "t";\nreturn t as T', 't'],
    ['a comparison that looks like a type argument', 'const f2 = 1, g2 = 2; f2<g2>(0)', true],
    ['export', 'export const exported = 5; export default exported', 5],
  ])('is exact: %s', async (_name, code, value) => {
    expect(await session.value(code)).toEqual(value);
  });

  it.each([
    ['nothing', '', 'undefined'],
    ['a declaration', 'const nothing = 1', 'undefined'],
    ['a big integer', '1n', '1n'],
    ['negative zero', '-0', '-0'],
    ['a cycle', 'const cyc = {}; cyc.me = cyc; cyc', '<ref *1> { me: [Circular *1] }'],
    ['a map', 'new Map([[1, 2]])', 'Map(1) { 1 => 2 }'],
    ['a function', '(function f() {})', '[Function: f]'],
    ['an invalid date', 'new Date(NaN)', 'Invalid Date'],
    ['a getter that throws', '({ get x() { throw 1 } })', '{ x: [Getter] }'],
    [
      'a proxy that throws on every access',
      'new Proxy({}, new Proxy({}, { get() { throw new Error("trap") } }))',
      '{}',
    ],
    ['a sparse array', 'const sparse = []; sparse[1e9 - 1] = 1; sparse', '[ <999999999 empty items>, 1 ]'],
    ['a lone surrogate', '"\\ud800"', "'\\ud800'"],
    ['no JSON inside', '[1n, Symbol("q"), undefined]', '[ 1n, Symbol(q), undefined ]'],
  ])('8-c: is readable text where JSON cannot carry it: %s', async (_name, code, text) => {
    await session.value('globalThis.before = 1; 0');
    expect(await session.run(code)).toMatchObject({ kind: 'inspected', text, kept: true });
    expect(await session.value('before')).toBe(1);
  });

  it('8-c: is cut with its size noted when it is a string of 200 MiB', async () => {
    const completion = await session.run('"x".repeat(200 << 20)');
    expect(completion).toMatchObject({ kind: 'inspected', text: expect.stringContaining('209705200 more characters') });
  });

  it('8-c: is bounded text when it is wide and deep', async () => {
    const items = '({length: 200}, () => Array.from({length: 200}, () => Array.from({length: 50}, () => ({a: [1n]}))))';
    const completion = await session.run(`Array.from${items}`);
    if (completion.kind !== 'inspected') throw new Error(completion.kind);
    expect(completion.text.length).toBeLessThan(70_000);
    expect(await session.run('let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep }; deep')).toMatchObject({
      kind: 'inspected',
    });
  });
});

describe('modules', () => {
  it.each([
    ['a static import of a built-in', 'import { sep } from "node:path"; sep', '/'],
    ['a default and a namespace', 'import d, * as ns from "./m.mjs"; [d, ns.named]', [7, 8]],
    ['8-h: a dynamic import of a built-in', '(await import("node:path")).sep', '/'],
    ['8-h: a dynamic import relative to the workspace', '(await import("./m.mjs")).default', 7],
    ['require', 'require("node:path").sep', '/'],
  ])('can be loaded: %s', async (_name, code, value) => {
    expect(await session.value(code)).toEqual(value);
  });

  it('have the workspace as their place', async () => {
    expect(await session.value('[import.meta.dirname, process.cwd()]')).toEqual([session.workspace, session.workspace]);
  });

  it('8-h: a missing one is not found, by its name', async () => {
    const { name, message } = await thrown('await import("./nope.mjs")');
    expect(`${name} ${message}`).toMatch(/Cannot find module .*nope\.mjs/);
  });

  it('8-h: can be imported from a timer after the program has ended', async () => {
    await session.value(
      'globalThis.fromTimer = new Promise((done) => setTimeout(() => done(import("./m.mjs")), 1)); 0',
    );
    expect(await session.value('(await fromTimer).default')).toBe(7);
  });

  it('8-h: stay as they were first loaded, for the life of the Environment', async () => {
    const file = join(session.workspace, 'cached.mjs');
    await writeFile(file, 'export default 1');
    expect(await session.value('(await import("./cached.mjs")).default')).toBe(1);
    await writeFile(file, 'export default 2');
    expect(await session.value('(await import("./cached.mjs")).default')).toBe(1);
  });
});

describe('errors', () => {
  it.each([
    [
      'in a function',
      'let l1 = 1;\n\nfunction gg() {\n  throw new TypeError("x")\n}\ngg()',
      ['gg (cell-N.js:4:9)', 'cell-N.js:6:1'],
    ],
    ['on the only line', 'null.x', ['cell-N.js:1:6']],
    ['in the last of several expressions on a line', 'let o1 = 1; foo.bar()', ['cell-N.js:1:13']],
    ['in a wrapped program', 'return foo()', ['cell-N.js:1:1']],
    ['after stripped types', 'type A = string;\n  nix(); return 1', ['cell-N.js:2:3']],
  ])('have the place in the program as written: %s', async (_name, code, places) => {
    const { stack } = await thrown(code);
    const lines = stack
      .replaceAll(/cell-\d+/g, 'cell-N')
      .split('\n')
      .filter((line) => line.includes('at '));
    expect(lines.map((line) => line.trim().replace('at ', '')).slice(0, places.length)).toEqual(places);
    expect(stack).not.toMatch(/kernel\.cjs|node:inspector/);
  });

  it('may be anything that was thrown', async () => {
    expect(await thrown('throw 5')).toMatchObject({ message: '5' });
    expect(await thrown('throw new Proxy({}, { get() { throw 1 }, has() { throw 2 } })')).toMatchObject({ kept: true });
    expect(await session.value('1')).toBe(1);
  });

  it('8-a: rejections and throwing timers after the end are told once, under the program that caused them, which the process survives', async () => {
    const fresh = await world.session('s_late');
    const first = await fresh.run(`globalThis.v = 1;
      setTimeout(() => { Promise.reject(new Error('late')); setTimeout(() => { threw(); throw new Error('later') }, 1) }, 1);
      globalThis.all = new Promise((resolve) => (globalThis.threw = resolve)); 1`);
    const next = await fresh.run('await all; await new Promise((resolve) => setImmediate(resolve)); typeof v');
    expect([first, next]).toMatchObject([{ value: 1 }, { kind: 'value', value: 'number' }]);
    const late = [...first.late, ...next.late].map((text) => text.split('\n')[0]);
    expect(late).toEqual(['cell-1: Error: late', 'cell-1: Error: later']);
    expect((await fresh.run('1')).late).toEqual([]);
  });

  it('8-a: twenty rejections, each 50 ms after its program, are told each under its own, and no run is lost', async () => {
    const fresh = await world.session('s_twenty');
    await fresh.value('globalThis.v = 1; globalThis.all = []; 0');
    const ends = [];
    for (let round = 0; round < 20; round += 1) {
      ends.push(
        await fresh.run(
          `all.push(new Promise((said) => setTimeout(() => (Promise.reject(new Error('late ${round}')), said()), 50))); 1`,
        ),
      );
      ends.push(await fresh.run('typeof v'));
    }
    ends.push(
      await fresh.run('await Promise.all(all); await new Promise((resolve) => setImmediate(resolve)); typeof v'),
    );
    const values = ends.map((end) => (end.kind === 'value' ? end.value : end.kind));
    expect(values).toEqual([...Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 1 : 'number')), 'number']);
    const late = ends.flatMap((end) => end.late).map((text) => text.split('\n')[0]);
    expect(late).toHaveLength(20);
    expect(new Set(late)).toEqual(
      new Set(Array.from({ length: 20 }, (_, at) => `cell-${2 * at + 2}: Error: late ${at}`)),
    );
  });
});

describe('output', () => {
  it('PTC-1: keeps its order beside await and a value', async () => {
    const streamed: string[] = [];
    const bridge = { log: (stream: string, text: string) => void streamed.push(`${stream}:${text}`) };
    const code =
      'console.log("one", { a: 1 }); await null; console.error("two"); process.stdout.write("three\\n"); "value"';
    const completion = await session.run(code, { bridge });
    expect(completion).toMatchObject({
      kind: 'value',
      value: 'value',
      logs: { text: 'one { a: 1 }\ntwo\nthree\n', dropped: 0 },
    });
    expect(streamed).toEqual(['log:one { a: 1 }\n', 'log:two\n', 'stdout:three\n']);
  });

  it('of display reaches the person as JSON, or as text', async () => {
    const completion = await session.run('display({ a: [1] }); display(1n); 0');
    expect(completion.display).toEqual([{ a: [1] }, '1n']);
  });

  it('of a child that shares the descriptors is among the logs', async () => {
    const code =
      'require("node:child_process").spawnSync("echo", ["from a child"], { stdio: "inherit" }); await tools.echo(1)';
    expect((await session.run(code)).logs.text).toBe('from a child\n');
  });

  it('8-g: of a timer that an ended program left is never output of a later program', async () => {
    const fresh = await world.session('s_ticks');
    await fresh.value('globalThis.ticks = 0; setInterval(() => { ticks += 1; console.log("tick") }, 5); 0');
    const second = await fresh.run(
      'while (ticks < 3) await new Promise((r) => setImmediate(r)); console.log("two"); 0',
    );
    expect(second.logs.text).toBe('two\n');
    expect(second.late.join()).toMatch(/^output of cell-1 after it had ended: tick\ntick/);
  });
});

describe('tools', () => {
  it('answer with a value', async () => {
    expect(await session.value('await tools.echo({ x: [1, "é", null] })')).toEqual({ x: [1, 'é', null] });
  });

  it('PTC-12: fail as a ToolError that can be caught', async () => {
    const code =
      'try { await tools.fail({}) } catch (e) { [e instanceof ToolError, e.name, e.tool, e.code, e.message] }';
    expect(await session.value(code)).toEqual([true, 'ToolError', 'fail', 'denied', 'no']);
  });

  it.each([['undefined'], ['(() => { const c = {}; c.c = c; return c })()'], ['{ x: 1n }'], ['new Proxy({}, {})']])(
    'PTC-16: an unusable argument fails only its call: %s',
    async (argument) => {
      const code = `const first = await tools.echo(${argument}).catch((e) => e.code); [first, await tools.echo(2)]`;
      expect(await session.value(code)).toEqual(['invalid-input', 2]);
    },
  );

  it('are own properties of a table without a prototype', async () => {
    expect(
      await session.value('[Object.keys(tools), Object.getPrototypeOf(tools), tools.toString === undefined]'),
    ).toEqual([['echo', 'hang', 'fail'], null, true]);
  });

  it('cannot be called by a program that has ended', async () => {
    const calls: string[] = [];
    const bridge = { call: (tool: string) => (calls.push(tool), Promise.resolve({ ok: true, value: 1 } as const)) };
    await session.run(
      'globalThis.stray = new Promise((r) => setTimeout(() => r(tools.echo(1).catch((e) => e.message)), 5)); 0',
      { bridge },
    );
    expect(await session.value('await stray', { bridge })).toBe('The program that made this call has ended');
    expect(calls).toEqual([]);
  });
});
