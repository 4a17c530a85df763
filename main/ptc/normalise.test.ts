import { describe, expect, it } from 'vitest';
import { normalise, type NormalisedProgram } from './normalise.ts';

function program(code: string): NormalisedProgram {
  const normalised = normalise(code);
  if (normalised.kind === 'syntax') throw new Error(normalised.message);
  return normalised;
}

describe('normalising', () => {
  it.each([
    ['const a = ;', 1, 11, 'Unexpected token'],
    ['let ok = 1;\nlet y = ;', 2, 9, 'Unexpected token'],
    ['let d = 1; let d = 2', 1, 16, "Identifier 'd' has already been declared"],
    ['\n  enum X { A }', 2, 3, 'TypeScript enum is not supported in strip-only mode'],
    [
      'namespace N { export const a = 1 }',
      1,
      11,
      'TypeScript namespace declaration is not supported in strip-only mode',
    ],
    [
      'class A { constructor(private x) {} }',
      1,
      23,
      'TypeScript parameter property is not supported in strip-only mode',
    ],
    ['const t: number = ;', 1, 8, 'Unexpected token'],
    ['({', 1, 3, 'Unexpected token'],
  ])('PTC-2: tells line and column of what it refuses: %j', (code, line, column, message) => {
    expect(normalise(code)).toEqual({ kind: 'syntax', line, column, message });
  });

  it('leaves every declaration in its place', () => {
    expect(program('const a = 1;\nlet b;\nvar c = 2').source).toBe('var   a = 1;\nvar b=void 0;\nvar c = 2');
  });

  it('hands the last expression to the kernel without moving it, when there is a line to do so', () => {
    expect(program('f();\n// why\ng()').source).toBe('f();;void(__ghim.v=(\n// why\ng()\n));');
  });

  it('keeps names that Node has out of the global object', () => {
    expect(program('const URL = 1').source).toBe('let   URL = 1');
  });

  it('makes imports of evaluated text members of the kernel, of the same length', () => {
    expect(program('const m = import("a")').source).toBe('var   m = __ghim("a")');
    expect(program('const m = import.meta.url').source).toBe('var   m = __ghim.meta.url');
  });

  it('keeps the lines of an import that takes several', () => {
    expect(program('import {\n  a,\n  b as c,\n} from "m";\nconst d = 1').source).toBe(
      'var {a:a,b:c}=await __ghim("m");\n\n\n\nvar   d = 1',
    );
  });

  it('knows the names that live on, and those that a failure may leave as they were', () => {
    const { names, assigned } = program(
      'const { a, b: [c = 1, ...d] } = x; class E {} function f() { let g } h = 1; i.j = 2; for (let k of l) {}',
    );
    expect(names).toEqual(['a', 'c', 'd', 'E', 'f']);
    expect(assigned).toEqual(['a', 'c', 'd', 'E', 'f', 'h']);
  });

  it('wraps only a program that returns at its own top level', () => {
    expect(program('const f = () => { return 1 }; class C { m() { return 2 } }').wrapped).toBe(false);
    expect(program('if (a) { return 1 }').wrapped).toBe(true);
  });

  it('takes one pair of braces for an object where it can be one, and else for a block', () => {
    expect(program('{ a: 1, b }').source).toContain('({ a: 1, b }');
    expect(program('{ const a = 1; f(a) }').source).toBe('{ const a = 1; f(a) }');
  });

  it('strips types only from what is no JavaScript', () => {
    expect(program('a<b>(c)').source).toContain('a<b>(c)');
    expect(program('f<string>("x" as T)').source).toContain('f        ("x"     )');
  });

  it('does not look for each of many names among all', () => {
    const before = performance.now();
    expect(program(Array.from({ length: 60_000 }, (_, at) => `let a${at};`).join('')).names).toHaveLength(60_000);
    // The square of it took half a minute.
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
