import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../tool/catalogue.ts';
import type { Tool } from '../tool/tool.ts';
import { declarationsOf } from './declarations.ts';

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `Does ${name}.`,
    input: z.strictObject({}),
    effect: 'read',
    presentation: 'generic',
    nested: true,
    plan: async () => ({ writes: 'none' }),
    subject: async () => ({ kind: 'call', input: {} }),
    run: async () => ({ status: 'ok', content: '' }),
    ...more,
  };
}

const glob = tool('glob', {
  description: 'Lists files.\nSorted.',
  input: z.strictObject({
    pattern: z.string().describe('No */ ends this'),
    limit: z.int().min(1).default(1000),
    kinds: z.array(z.enum(['file', 'folder'])).optional(),
    where: z.union([z.string(), z.null(), z.strictObject({ deep: z.boolean() })]),
  }),
});
const write = tool('write', { input: z.strictObject({ path: z.string() }), escalates: 'Asks a person' });
const odd = tool('a-b', { input: z.strictObject({ more: z.record(z.string(), z.number()), any: z.unknown() }) });
const hidden = tool('run_code', { nested: false });

const GOLDEN = `/** What a call rejects with when it is refused, fails or is cancelled. */
declare class ToolError extends Error {
  readonly tool: string;
  readonly code: string;
}
/** Shows a value to the person. */
declare function display(value: unknown): void;
declare const tools: {
  /** Does a-b. */
  "a-b"(input: {
    more: { [name: string]: number };
    any: unknown;
  }): Promise<unknown>;
  /**
   * Lists files.
   * Sorted.
   */
  glob(input: {
    /** No *\\/ ends this */
    pattern: string;
    limit?: number;
    kinds?: Array<"file" | "folder">;
    where: string | null | {
      deep: boolean;
    };
  }): Promise<{
    paths: Array<string>;
    truncated: boolean;
  }>;
  /** Does write. */
  write(input: {
    path: string;
    /** Asks a person */
    escalate?: {
      to: "read-only" | "workspace-write" | "danger-full-access";
      justification: string;
    };
  }): Promise<{
    path: string;
    created: boolean;
    bytes: number;
    sha256: string;
  }>;
};
`;

describe('declarations', () => {
  it('are of exactly the tools that programs may call, with what they take and resolve to', () => {
    expect(declarationsOf(createCatalogue([glob, write, odd, hidden]))).toBe(GOLDEN);
  });

  it('are the same bytes for the same tools in any order', () => {
    expect(declarationsOf(createCatalogue([hidden, odd, write, glob]))).toBe(GOLDEN);
  });

  it('are still there when programs may call nothing', () => {
    expect(declarationsOf(createCatalogue([hidden]))).toMatch(/declare const tools: \{\n\};\n$/);
  });
});
