import * as z from 'zod';
import type { Json } from '../base/json.ts';
import type { Escalation } from '../policy/escalation.ts';
import { MODES } from '../sandbox/mode.ts';
import { cut } from './cut.ts';
import { refused, type Outcome } from './result.ts';
import type { Tool } from './tool.ts';

/** What a driver or a program may call, by name. */
export interface Catalogue {
  readonly tools: readonly Tool[];
  /** Names of the tools that a program may call. */
  readonly nested: readonly string[];
  find(name: string): Tool | undefined;
  /** Step one of a call: the tool, and its input checked whole. A refusal is an Outcome. */
  parse(name: string, raw: unknown): ParsedCall | Outcome;
  /** JSON Schema of a tool's input for the model, `escalate` included. */
  schema(name: string): Json | undefined;
}

export interface ParsedCall {
  readonly tool: Tool;
  readonly input: unknown;
  readonly escalate?: Escalation;
}

export function isParsed(call: ParsedCall | Outcome): call is ParsedCall {
  return 'tool' in call;
}

export function createCatalogue(tools: readonly Tool[]): Catalogue {
  // Without a prototype `constructor` and `__proto__` are names like any other: unknown.
  const byName = Object.create(null) as { [name: string]: Entry };
  for (const tool of tools) {
    if (byName[tool.name]) throw new Error(`Two tools are called ${tool.name}`);
    byName[tool.name] = { tool, schema: withEscalation(tool) };
  }
  const names = tools.map((tool) => tool.name);
  return {
    tools,
    nested: tools.filter((tool) => tool.nested).map((tool) => tool.name),
    find: (name) => byName[name]?.tool,
    parse: (name, raw) => {
      const entry = byName[name];
      return entry ? parse(entry, raw) : refused('unknown-tool', unknownTool(name, names));
    },
    schema: (name) => {
      const entry = byName[name];
      // zod's JSON Schema is JSON, which its type does not say.
      return entry && (z.toJSONSchema(entry.schema, { io: 'input' }) as Json);
    },
  };
}

interface Entry {
  readonly tool: Tool;
  readonly schema: z.ZodType;
}

/** The shape of every `escalate`. Its justification must say something: blank is invalid input, and nobody is asked. */
function escalation(note: string): z.ZodOptional<z.ZodType<Escalation>> {
  return z
    .strictObject({
      to: z.enum(MODES),
      justification: z.string().refine((text) => text.trim() !== '', 'must not be blank'),
    })
    .optional()
    .describe(note);
}

function withEscalation(tool: Tool): z.ZodType {
  if (tool.escalates === undefined) return tool.input;
  if (!(tool.input instanceof z.ZodObject)) throw new Error(`The input of ${tool.name} is no object schema`);
  return tool.input.extend({ escalate: escalation(tool.escalates) });
}

function parse({ tool, schema }: Entry, raw: unknown): ParsedCall | Outcome {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) return refused('invalid-input', describe(tool.name, parsed.error.issues));
  if (tool.escalates === undefined) return { tool, input: parsed.data };
  // The schema is the one that withEscalation made.
  const { escalate, ...input } = parsed.data as { readonly escalate?: Escalation };
  return { tool, input, ...(escalate && { escalate }) };
}

function describe(name: string, issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map((issue) => `- ${issue.path.map(String).join('.') || 'input'}: ${issue.message}`);
  return [`The input of ${name} is invalid:`, ...lines].join('\n');
}

function unknownTool(name: string, names: readonly string[]): string {
  return `There is no tool called ${cut(name, 80)}. The tools are: ${names.join(', ')}.`;
}
