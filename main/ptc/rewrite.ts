import type {
  ClassDeclaration,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  ExpressionStatement,
  ImportDeclaration,
  ModuleDeclaration,
  Program,
  Statement,
  VariableDeclaration,
} from 'acorn';
import { padTo, type Edit } from './edits.ts';
import { namesOf } from './names.ts';

export interface Cell {
  readonly program: Program;
  readonly source: string;
  /** Inside an async function, because the program returns at its top level. */
  readonly wrapped: boolean;
}

export interface Top {
  readonly names: readonly string[];
  /** What was put on the line of the completion value, and where. */
  readonly shift: { readonly at: number; readonly by: number };
}

/**
 * Top-level declarations become `var`: redeclaring works, a failed declaration does not spoil its name, and closures of
 * earlier programs see the new value. Names that Node itself has stay lexical: a `var` would replace the global.
 */
export function rewriteTop(cell: Cell, edits: Edit[]): Top {
  const rewriting = new Rewriting(cell, edits);
  for (const node of cell.program.body) rewriting.visit(node);
  return rewriting.finish();
}

/** What a `var` must not replace. */
const BUILT_IN = new Set(
  Object.getOwnPropertyNames(globalThis).concat('tools', 'ToolError', 'display', 'require', 'undefined', '__ghim'),
);

type Node = Statement | ModuleDeclaration;

class Rewriting {
  readonly #cell: Cell;
  readonly #edits: Edit[];
  readonly #names = new Set<string>();
  readonly #functions: string[] = [];
  /** Where the statement before the visited one ended: text goes there when it would move the visited one's columns. */
  #gap = 0;
  #directivesEnd = 0;
  #shift = { at: 0, by: 0 };

  constructor(cell: Cell, edits: Edit[]) {
    this.#cell = cell;
    this.#edits = edits;
    if (cell.source.startsWith('#!')) this.#gap = lineEnd(cell.source);
  }

  visit(node: Node): void {
    this.#rewrite(node);
    this.#gap = node.end;
    if (node.type === 'ExpressionStatement' && node.directive !== undefined) this.#directivesEnd = node.end;
  }

  finish(): Top {
    // Inside the wrapper functions are local; the names that live on get them before anything runs.
    const published = this.#functions.map((name) => `globalThis.${name}=${name};`).join('');
    if (published !== '' && this.#cell.wrapped) this.#insert(this.#directivesEnd, `;${published}`);
    return { names: [...this.#names], shift: this.#shift };
  }

  #rewrite(node: Node): void {
    switch (node.type) {
      case 'VariableDeclaration':
        return this.#variables(node);
      case 'ClassDeclaration':
        return this.#class(node);
      case 'FunctionDeclaration':
        this.#names.add(node.id.name);
        return void this.#functions.push(node.id.name);
      case 'ImportDeclaration':
        return this.#import(node);
      case 'ExportNamedDeclaration':
        return this.#exportNamed(node);
      case 'ExportDefaultDeclaration':
        return this.#exportDefault(node);
      case 'ExportAllDeclaration':
        return this.#replace(node, ';');
      case 'ExpressionStatement':
        return this.#expression(node);
      default:
    }
  }

  #variables(node: VariableDeclaration): void {
    const names = node.declarations.flatMap(({ id }) => namesOf(id));
    if (node.kind === 'using' || node.kind === 'await using') return;
    const builtIn = node.kind !== 'var' && names.some((name) => BUILT_IN.has(name));
    if (builtIn && this.#cell.wrapped) return;
    for (const name of names) this.#names.add(name);
    const keyword = builtIn ? 'let' : 'var';
    for (const { id, init } of node.declarations) {
      if (!init && node.kind !== 'var') this.#insert(id.end, '=void 0');
    }
    if (this.#cell.wrapped) this.#assignments(node);
    else this.#edit(node.start, node.start + node.kind.length, keyword.padEnd(node.kind.length));
  }

  /** `const a = 1, {b} = c` becomes `void (a = 1, {b} = c)`: the names are declared outside the wrapper. */
  #assignments(node: VariableDeclaration): void {
    const last = node.declarations.at(-1);
    if (!last) return;
    this.#edit(node.start, node.start + node.kind.length, ';void(');
    for (const { id, start, end } of node.declarations) {
      if (id.type !== 'ObjectPattern') continue;
      this.#insert(start, '(');
      this.#insert(end, ')');
    }
    this.#insert(last.end, ')');
  }

  #class(node: ClassDeclaration): void {
    const { name } = node.id;
    if (BUILT_IN.has(name)) return;
    this.#names.add(name);
    this.#before(node, this.#cell.wrapped ? `;${name}=` : `;var ${name}=`);
    this.#insert(node.end, ';');
  }

  #import(node: ImportDeclaration): void {
    const from = JSON.stringify(node.source.value);
    const attributes = node.attributes.map(({ start, end }) => this.#cell.source.slice(start, end)).join(',');
    const loaded = `await __ghim(${from}${attributes === '' ? '' : `,{with:{${attributes}}}`})`;
    const declare = this.#cell.wrapped ? ['(', ')'] : ['var ', ''];
    const parts = node.specifiers.flatMap((specifier) => {
      const { name } = specifier.local;
      this.#names.add(name);
      if (specifier.type === 'ImportNamespaceSpecifier') return [];
      if (specifier.type === 'ImportDefaultSpecifier') return [`default:${name}`];
      const { imported } = specifier;
      return [`${imported.type === 'Literal' ? JSON.stringify(imported.value) : imported.name}:${name}`];
    });
    const space = node.specifiers.find(({ type }) => type === 'ImportNamespaceSpecifier')?.local.name;
    const names = `${declare[0]}{${parts.join(',')}}=${space ?? loaded}${declare[1]};`;
    const whole = space === undefined ? '' : `${this.#cell.wrapped ? '' : 'var '}${space}=${loaded};`;
    this.#replace(
      node,
      node.specifiers.length === 0 ? `${loaded};` : whole + (space && parts.length === 0 ? '' : names),
    );
  }

  #exportNamed(node: ExportNamedDeclaration): void {
    const { declaration } = node;
    if (!declaration) return this.#replace(node, ';');
    this.#edit(node.start, declaration.start, ' '.repeat(declaration.start - node.start));
    this.#rewrite(declaration);
  }

  #exportDefault(node: ExportDefaultDeclaration): void {
    const { declaration } = node;
    this.#edit(node.start, declaration.start, '');
    const isNamed = declaration.type.endsWith('Declaration') && 'id' in declaration && declaration.id;
    if (isNamed) return this.#rewrite(declaration as Statement);
    this.#insert(declaration.start, '(');
    this.#insert(declaration.end, ');');
  }

  /** The last expression is handed to the kernel directly. */
  #expression(node: ExpressionStatement): void {
    if (node !== this.#cell.program.body.at(-1) || node.directive !== undefined) return;
    const { expression } = node;
    // Parentheses around the expression stay between ours: comments and line ends may stand there.
    const tail = this.#cell.source.slice(expression.end, node.end).replace(/;\s*$/, '').length;
    this.#before(node, this.#cell.wrapped ? ';return (' : ';void(__ghim.v=(');
    this.#insert(expression.end + tail, this.#cell.wrapped ? '\n);' : '\n));');
  }

  /** On an earlier line when there is one: what a stack trace names keeps its column. */
  #before(node: Node, text: string): void {
    const free = this.#cell.source.slice(this.#gap, node.start).includes('\n') && this.#gap < node.start;
    if (!free && node.type === 'ExpressionStatement') this.#shift = { at: node.start, by: text.length };
    this.#insert(free ? this.#gap : node.start, text);
  }

  #replace(node: Node, text: string): void {
    this.#edit(node.start, node.end, padTo(text, this.#cell.source.slice(node.start, node.end)));
  }

  #insert(at: number, text: string): void {
    this.#edit(at, at, text);
  }

  #edit(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }
}

function lineEnd(source: string): number {
  const end = source.indexOf('\n');
  return end < 0 ? source.length : end;
}
