import { isBuiltin } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { ELECTRON, type ProgramName } from './programs.ts';
import { read } from './reading.ts';

type Output = Rolldown.RolldownOutput;
type Chunk = Rolldown.OutputChunk;

/** In bytes. What is above is a mistake: a preload script that holds more than its two functions, a view that should come late. */
export const PRELOAD_LIMIT = 2_000;
export const ENTRY_LIMIT = 150_000;

/** Of the programs, only Electron's main knows Electron. Whatever else a program needs is in its one file. */
export function judgeProgram(output: Output, name: ProgramName): string[] {
  const chunks = [...chunksOf(output).values()];
  return chunks.flatMap((chunk) =>
    [...read(chunk).required].flatMap((required) => {
      if (isBuiltin(required)) return [];
      if (!ELECTRON.test(required)) return [`${chunk.fileName} requires ${required}, which is not in it`];
      return name === 'main' ? [] : [`${chunk.fileName} requires ${required}: only the Electron host has it`];
    }),
  );
}

export function judgePreload(output: Output): string[] {
  const chunks = [...chunksOf(output).values()];
  const problems = chunks.flatMap((chunk) =>
    [...read(chunk).required]
      .filter((name) => name !== 'electron')
      .map((name) => `${chunk.fileName} requires ${name}: a preload script has only electron`),
  );
  if (chunks.length !== 1) problems.push(`The preload script must be one file, not ${chunks.length}`);
  for (const { fileName, code } of chunks) {
    const size = Buffer.byteLength(code);
    if (size >= PRELOAD_LIMIT) problems.push(`${fileName} has ${size} bytes, which must stay below ${PRELOAD_LIMIT}`);
  }
  return problems;
}

/** What the content policy would refuse in the window, and what would make its start slow. */
export function judgeWindow(output: Output): string[] {
  const problems = [...chunksOf(output).values()].flatMap(judgeWindowChunk);
  for (const asset of output.output) {
    if (asset.fileName.endsWith('.wasm')) problems.push(`${asset.fileName}: the content policy runs no wasm`);
  }
  const page = output.output.find(({ fileName }) => fileName === 'index.html');
  if (page?.type === 'asset' && /<style|<script(?![^>]*\ssrc=)|\sstyle=/.test(String(page.source))) {
    problems.push('index.html holds a script or a style: the content policy refuses both');
  }
  const size = entrySize(output);
  if (size >= ENTRY_LIMIT) {
    problems.push(`The window loads ${size} bytes (gzip) before anything is seen; it must stay below ${ENTRY_LIMIT}`);
  }
  return problems;
}

/** What index.html loads before the first interaction: its own module and all that this imports at once, gzipped. */
export function entrySize(output: Output): number {
  const chunks = chunksOf(output);
  const entries = [...chunks.values()].filter(({ isEntry }) => isEntry);
  const loaded = new Set(entries.flatMap(({ fileName }) => loadedWith(chunks, fileName)));
  return [...loaded].reduce((sum, { code }) => sum + gzipSync(code).length, 0);
}

function judgeWindowChunk(chunk: Chunk): string[] {
  const schemas = chunk.moduleIds.some((id) => id.includes('/node_modules/zod/'));
  // Reading takes its time, and most chunks do not even name what is looked for.
  const forbidden = FORBIDDEN.test(chunk.code) ? [...read(chunk).forbidden] : [];
  return [
    ...forbidden.map((name) => `${chunk.fileName} uses ${name}: the content policy refuses it`),
    ...(schemas ? [`${chunk.fileName} holds zod: schemas stay out of the window`] : []),
  ];
}

const FORBIDDEN = /\b(eval|Function|WebAssembly)\b/;

function chunksOf({ output }: Output): ReadonlyMap<string, Chunk> {
  return new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part]] : [])));
}

/** The chunk and all that it loads before it runs itself. */
function loadedWith(chunks: ReadonlyMap<string, Chunk>, entry: string): Chunk[] {
  const found = new Map<string, Chunk>();
  const waiting = [entry];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = chunks.get(name);
    if (!chunk || found.has(name)) continue;
    found.set(name, chunk);
    waiting.push(...chunk.imports);
  }
  return [...found.values()];
}
