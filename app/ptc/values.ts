import * as z from 'zod';

const bytes = z.int().min(0);
const text = z.strictObject({
  text: z.string().describe('The end of it, at most 64 KiB'),
  bytes: bytes.describe('Size of the whole'),
  dropped: bytes.describe('What neither text nor blob holds'),
  blob: z.string().exactOptional().describe('SHA-256 of the whole, where it is kept'),
});

const facts = z.strictObject({
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  cancelled: z.boolean(),
  limit: z.enum(['heap', 'memory', 'process', 'output', 'temp']).exactOptional(),
  left: z.int().describe('Processes that it left behind and that were ended with it'),
  durationMs: z.number(),
  output: text,
});

const job = z.object({
  jobId: z.string(),
  kind: z.enum(['command', 'agent']),
  title: z.string(),
  state: z.string(),
  pid: z.int().exactOptional(),
  startTime: z.string().exactOptional(),
  paths: z.array(z.string()).exactOptional(),
});

/** What a call of each tool resolves to in a program (contract.md, Tools, `value`). */
export const TOOL_VALUES: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  [
    'read',
    z.strictObject({
      text: z.string(),
      from: z.int().describe('First line'),
      to: z.int().describe('Last line'),
      lines: z.int().describe('Of the whole file'),
      bytes: bytes.describe('Of the whole file'),
      truncated: z.boolean(),
    }),
  ],
  ['write', z.strictObject({ path: z.string(), created: z.boolean(), bytes, sha256: z.string() })],
  ['edit', z.strictObject({ path: z.string(), replacements: z.int(), sha256: z.string(), diff: z.string() })],
  ['glob', z.strictObject({ paths: z.array(z.string()), truncated: z.boolean() })],
  [
    'grep',
    z.strictObject({
      matches: z.array(z.strictObject({ path: z.string(), line: z.int(), text: z.string() })),
      truncated: z.boolean(),
    }),
  ],
  ['bash', facts],
  ['job_start', z.object({ jobId: z.string(), pid: z.int().exactOptional(), startTime: z.string().exactOptional() })],
  ['job_list', z.object({ jobs: z.array(job) })],
  ['job_output', z.object({ text: z.string(), from: bytes, next: bytes, ended: z.boolean() })],
  ['job_kill', z.object({ outcome: z.string() })],
  ['todo', z.object({ items: z.array(z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done']) })) })],
]);
