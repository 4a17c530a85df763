import { spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';

export type Stripped =
  | { readonly kind: 'stripped'; readonly source: string }
  /** `unsupported`: TypeScript that is no mere annotation, such as an enum. */
  | { readonly kind: 'not-stripped'; readonly unsupported?: string };

const WRAPPER = 'async function wrapper(){';
const TIME_MS = 10_000;
const BIGGEST = 64 * 1024 * 1024;

/** Takes the types out of a program; every position stays. */
export class TypeStripper {
  /** What takes the types out breaks for good, for all that come later, when a program is nested too deeply for it. */
  #broken = false;

  /** A top-level `return` is no module; inside a function it is fine. */
  strip(code: string): Stripped {
    const plain = this.#strip(code);
    if (plain.kind === 'stripped' || plain.unsupported !== undefined) return plain;
    const wrapped = this.#strip(`${WRAPPER}${code}\n}`);
    return wrapped.kind === 'stripped'
      ? { kind: 'stripped', source: wrapped.source.slice(WRAPPER.length, -2) }
      : wrapped;
  }

  #strip(code: string): Stripped {
    if (this.#broken) return stripElsewhere(code);
    try {
      return { kind: 'stripped', source: stripTypeScriptTypes(code) };
    } catch (fault) {
      this.#broken = !(fault instanceof SyntaxError);
      return notStripped(fault);
    }
  }
}

/** Slow, but a process of its own has nothing that an earlier program could have broken. */
function stripElsewhere(code: string): Stripped {
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  const options = { input: code, env, timeout: TIME_MS, killSignal: 'SIGKILL', maxBuffer: BIGGEST } as const;
  const { stdout, status } = spawnSync(process.execPath, ['--no-warnings', '-e', SCRIPT], options);
  if (status !== 0) return { kind: 'not-stripped' };
  const told = JSON.parse(stdout.toString()) as { readonly source?: string; readonly unsupported?: string }; // SCRIPT's.
  if (told.source !== undefined) return { kind: 'stripped', source: told.source };
  return { kind: 'not-stripped', ...(told.unsupported !== undefined && { unsupported: told.unsupported }) };
}

const UNSUPPORTED = 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX';

function notStripped(fault: unknown): Stripped {
  const unsupported = fault instanceof SyntaxError && 'code' in fault && fault.code === UNSUPPORTED;
  return { kind: 'not-stripped', ...(unsupported && { unsupported: fault.message }) };
}

const SCRIPT = `
const code = require('node:fs').readFileSync(0, 'utf8');
let told;
try {
  told = { source: require('node:module').stripTypeScriptTypes(code) };
} catch ({ code, message }) {
  told = { unsupported: code === '${UNSUPPORTED}' ? message : undefined };
}
process.stdout.write(JSON.stringify(told));`;
