import * as z from 'zod';
import type { Json } from '../base/json.ts';
import type { Catalogue } from '../tool/catalogue.ts';
import { commentText, keyText, typeText } from './typeText.ts';
import { TOOL_VALUES } from './values.ts';

const HEAD = `/** What a call rejects with when it is refused, fails or is cancelled. */
declare class ToolError extends Error {
  readonly tool: string;
  readonly code: string;
}
/** Shows a value to the person. */
declare function display(value: unknown): void;
`;

/**
 * TypeScript of what a program finds besides Node's own (ptc.md, The program): exactly the tools of this catalogue that
 * programs may call. The same set gives the same bytes, in whatever order the tools were registered.
 */
export function declarationsOf(catalogue: Pick<Catalogue, 'nested' | 'find' | 'schema'>): string {
  const members = catalogue.nested.toSorted(byName).map((name) => member(name, catalogue));
  return `${HEAD}declare const tools: {\n${members.join('')}};\n`;
}

function byName(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function member(name: string, catalogue: Pick<Catalogue, 'find' | 'schema'>): string {
  const note = commentText(catalogue.find(name)?.description ?? '', '  ');
  const value = TOOL_VALUES.get(name);
  // zod's JSON Schema is JSON, which its type does not say.
  const output = value && (z.toJSONSchema(value, { io: 'output' }) as Json);
  const [input, resolved] = [typeText(catalogue.schema(name), '  '), typeText(output, '  ')];
  return `${note}  ${keyText(name)}(input: ${input}): Promise<${resolved}>;\n`;
}
