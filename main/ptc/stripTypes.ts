import { stripTypeScriptTypes } from 'node:module';

export type Stripped =
  | { readonly kind: 'stripped'; readonly source: string }
  /** `unsupported`: TypeScript that is no mere annotation, such as an enum. */
  | { readonly kind: 'not-stripped'; readonly unsupported?: string };

/** What takes the types out was broken by an earlier program: this thread strips no more, another one can. */
export class StripperBroken extends Error {
  override readonly name = 'StripperBroken';
}

const WRAPPER = 'async function wrapper(){';

/** Takes the types out of a program; every position stays. */
export class TypeStripper {
  /** What takes the types out breaks for good, for all that come later in its thread, when a program is nested too deeply. */
  #broken = false;

  /** A top-level `return` is no module; inside a function it is fine. */
  strip(code: string): Stripped {
    if (this.#broken) throw new StripperBroken('Types cannot be stripped in this thread any more');
    const plain = this.#strip(code);
    if (plain.kind === 'stripped' || plain.unsupported !== undefined || this.#broken) return plain;
    const wrapped = this.#strip(`${WRAPPER}${code}\n}`);
    return wrapped.kind === 'stripped'
      ? { kind: 'stripped', source: wrapped.source.slice(WRAPPER.length, -2) }
      : wrapped;
  }

  #strip(code: string): Stripped {
    try {
      return { kind: 'stripped', source: stripTypeScriptTypes(code) };
    } catch (fault) {
      this.#broken = !(fault instanceof SyntaxError);
      return notStripped(fault);
    }
  }
}

const UNSUPPORTED = 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX';

function notStripped(fault: unknown): Stripped {
  const unsupported = fault instanceof SyntaxError && 'code' in fault && fault.code === UNSUPPORTED;
  return { kind: 'not-stripped', ...(unsupported && { unsupported: fault.message }) };
}
