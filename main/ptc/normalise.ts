import type { AnyNode, ModuleDeclaration, Program, Statement } from 'acorn';
import { ancestor, full } from 'acorn-walk';
import type { PreparedProgram, SyntaxFault } from '../../app/ptc/nodeProvider.ts';
import { applyEdits, type Edit } from './edits.ts';
import { parseProgram, type Parsed } from './parse.ts';
import { rewriteTop, type Top } from './rewrite.ts';

/** A program as the kernel evaluates it, with what the host keeps of it. */
export interface NormalisedProgram extends PreparedProgram {
  /** Names that its top level declares: they live on in a retained Environment. */
  readonly names: readonly string[];
  /** Those, and names that its top level assigns: an exception tells which of them were not reached. */
  readonly assigned: readonly string[];
  /** Characters that stand before the program's own first one on a line; stack traces are moved back by them. */
  readonly shift: { readonly line: number; readonly by: number; readonly from: number };
}

type Parse = (code: string) => Parsed | SyntaxFault;

/** Makes a program a REPL cell (ptc.md, The program). Nothing is evaluated here. */
export function normalise(code: string, parse: Parse = parseProgram): NormalisedProgram | SyntaxFault {
  try {
    return toCell(code, parse);
  } catch (fault) {
    // Parsing and walking recurse as deep as the program is nested.
    if (!(fault instanceof RangeError)) throw fault;
    return { kind: 'syntax', message: 'The program is nested too deeply', line: 1, column: 1 };
  }
}

function toCell(code: string, parse: Parse): NormalisedProgram | SyntaxFault {
  const parsed = parse(code);
  if (parsed.kind === 'syntax') return parsed;
  const { program, source } = parsed;
  const wrapped = returnsAtTop(program);
  const edits = [...importEdits(program)];
  const top = rewriteTop({ program, source, wrapped }, edits);
  const head = wrapped ? wrapperHead(top) : '';
  const body = applyEdits(source, edits);
  return {
    kind: 'program',
    source: wrapped ? `${head}${body}\n}).call(globalThis))` : body,
    wrapped,
    names: top.names,
    assigned: [...new Set([...top.names, ...assignedNames(program)])],
    shift: shiftOf(source, { head, top, moved: source.length === code.length ? 0 : 1 }),
  };
}

/** The wrapper is an expression whose value, a promise, becomes the completion value. */
function wrapperHead({ names }: Top): string {
  const declared = names.length > 0 ? `var ${names.join(',')};` : '';
  return `${declared}void(__ghim.v=(async function(){`;
}

function returnsAtTop(program: Program): boolean {
  let found = false;
  ancestor(program, {
    ReturnStatement(_node, _state, ancestors) {
      if (!ancestors.some((node) => /Function/.test(node.type))) found = true;
    },
  });
  return found;
}

/** Evaluated text is no module: `import(…)` and `import.meta` become members of the kernel, of the same length. */
function* importEdits(program: Program): Generator<Edit> {
  const found: Edit[] = [];
  full(program, (node) => {
    const isMeta =
      (node as AnyNode).type === 'MetaProperty' && (node as { meta: { name: string } }).meta.name === 'import';
    if (node.type === 'ImportExpression' || isMeta) {
      found.push({ start: node.start, end: node.start + 'import'.length, text: '__ghim' });
    }
  });
  yield* found;
}

function assignedNames(program: Program): string[] {
  return program.body.flatMap((node) => {
    const target = assignmentTarget(node);
    return target === undefined ? [] : [target];
  });
}

function assignmentTarget(node: Statement | ModuleDeclaration): string | undefined {
  if (node.type !== 'ExpressionStatement' || node.expression.type !== 'AssignmentExpression') return undefined;
  const { left } = node.expression;
  return left.type === 'Identifier' ? left.name : undefined;
}

interface Moved {
  readonly head: string;
  readonly top: Top;
  /** The parenthesis before an object literal. */
  readonly moved: number;
}

function shiftOf(source: string, { head, top, moved }: Moved): NormalisedProgram['shift'] {
  if (head !== '') return { line: 1, by: head.length + top.shift.by, from: 0 };
  const before = source.slice(0, top.shift.at);
  const line = before.split('\n').length;
  const column = top.shift.at - (before.lastIndexOf('\n') + 1);
  return { line, by: top.shift.by + (line === 1 ? moved : 0), from: column };
}
