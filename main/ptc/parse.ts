import type { Options, Program } from 'acorn';
import type { SyntaxFault } from '../../app/ptc/nodeProvider.ts';
import { QuickParser } from './quickParser.ts';
import { TypeStripper } from './stripTypes.ts';

export interface Parsed {
  readonly kind: 'parsed';
  /** The source without types, every character at its old place. */
  readonly source: string;
  readonly program: Program;
}

/**
 * JavaScript first; types are stripped only when that fails, since stripping changes some valid JavaScript (ptc.md).
 * A fault that neither reading explains is told as the JavaScript one, which has a position.
 */
export function parseProgram(code: string): Parsed | SyntaxFault {
  const asJavaScript = parseJavaScript(code);
  if (asJavaScript.kind === 'parsed') return asJavaScript;
  const stripped = TYPES.strip(code);
  if (stripped.kind === 'stripped') return parseJavaScript(stripped.source);
  return stripped.unsupported === undefined ? asJavaScript : { ...asJavaScript, message: stripped.unsupported };
}

const TYPES = new TypeStripper();

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowHashBang: true,
};

/** One brace pair around the whole is an object where it can be one: `{a: 1}` is what the person meant as a value. */
export function parseJavaScript(source: string): Parsed | SyntaxFault {
  if (/^\s*\{[^]*\}\s*$/.test(source)) {
    const literal = tryPlain(`(${source})`);
    if (literal.kind === 'parsed') return literal;
  }
  return tryPlain(source);
}

function tryPlain(source: string): Parsed | SyntaxFault {
  try {
    return { kind: 'parsed', source, program: QuickParser.parse(source, OPTIONS) };
  } catch (fault) {
    if (!isAcornFault(fault)) throw fault;
    const message = fault.message.replace(/ \(\d+:\d+\)$/, '');
    return { kind: 'syntax', message, line: fault.loc.line, column: fault.loc.column + 1 };
  }
}

interface AcornFault extends SyntaxError {
  readonly loc: { readonly line: number; readonly column: number };
}

function isAcornFault(fault: unknown): fault is AcornFault {
  return fault instanceof SyntaxError && 'loc' in fault;
}
