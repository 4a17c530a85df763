import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Edit } from './fault.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const PARTS = ['app', 'main', 'preload', 'renderer', 'build', 'e2e', 'package.json', 'tsconfig.json'];

/** A copy of the sources that faults are planted into, one at a time. */
export class Tree {
  readonly root = mkdtempSync(join(tmpdir(), 'gatehouse-faults-'));
  readonly #planted = new Map<string, string>();

  constructor() {
    for (const part of PARTS) cpSync(join(ROOT, part), join(this.root, part), { recursive: true });
    mkdirSync(join(this.root, 'docs'));
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** Throws when a file does not say what the table says that it says. */
  plant(edits: readonly Edit[]): void {
    for (const { file, from, to } of edits) {
      const path = join(this.root, file);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${file} does not say ${JSON.stringify(from)}`);
      if (!this.#planted.has(path)) this.#planted.set(path, text);
      writeFileSync(
        path,
        text.replace(from, () => to),
      );
    }
  }

  heal(): void {
    for (const [path, text] of this.#planted) writeFileSync(path, text);
    this.#planted.clear();
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
