import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'vite';

/** The rooms of the core, left to right. A room imports itself and what stands to its left. */
const rooms = 'base log sandbox policy approval lease cleanup tool hook job ptc session agent contract'.split(' ');
const order = rooms.join(' → ');

/** What a top folder may reach. A folder that is not named here may reach everything; only `e2e` itself reaches `e2e`. */
const reach: Readonly<Record<string, RegExp>> = {
  app: /^app\//,
  main: /^(app|main)\//,
  renderer: /^(app|renderer)\//,
  preload: /^(preload\/|app\/contract\/channel\.ts$)/,
  build: /^(app|main|preload|renderer|build)\//,
  docs: /^(app|main|docs)\//,
};
const folders = '{app,main,preload,renderer,build,e2e,docs}';
const isTest = (file: string): boolean => /\.(test|contract|fixture)\.tsx?$/.test(file);

type Graph = ReadonlyMap<string, readonly string[]>;

/** Every import that breaks the direction, every cycle, and every file of the core that nothing reaches. */
export function checkRooms(root: string): string[] {
  const found = globSync(`${folders}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**'] });
  const specifiers = new Map(found.map((file) => file.split(sep).join('/')).map((f) => [f, importsOf(root, f)]));
  const graph: Graph = new Map([...specifiers].map(([file, names]) => [file, targets(root, file, names)]));
  const problems = [...specifiers].flatMap(([file, names]) => names.flatMap((name) => judgeName(root, file, name)));
  for (const [file, imports] of graph) {
    problems.push(...judgePlace(file), ...imports.flatMap((target) => judge(file, target)));
  }
  return [...problems, ...cycles(graph), ...orphans(graph)];
}

/** Type-only imports count like any other: they too say which room knows which. */
function importsOf(root: string, file: string): string[] {
  const { program, errors } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    // import, export … from, import() and the type import() all keep the module's name in `source`.
    if ('source' in node) addName(node.source, names);
    for (const child of Object.values(node)) visit(child);
  };
  visit(program.body);
  return [...names];
}

function addName(source: unknown, names: Set<string>): void {
  if (typeof source !== 'object' || source === null || !('value' in source)) return;
  if (typeof source.value === 'string') names.add(source.value);
}

function targets(root: string, file: string, names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith('.')).map((name) => locate(root, file, name));
}

function locate(root: string, file: string, name: string): string {
  return relative(root, resolve(root, dirname(file), name))
    .split(sep)
    .join('/');
}

function judgeName(root: string, file: string, name: string): string[] {
  if (name.startsWith('.')) {
    return existsSync(join(root, locate(root, file, name))) ? [] : [`${file} imports ${name}, which names no file`];
  }
  const core = file.startsWith('app/') && !isTest(file);
  return core && name !== 'zod' ? [`${file} imports ${name}, but app/ imports only itself and zod`] : [];
}

function judgePlace(file: string): string[] {
  const homeless = file.startsWith('app/') && roomOf(file) < 0 && !file.endsWith('.d.ts');
  return homeless ? [`${file} is in no room of app: ${order}`] : [];
}

function judge(file: string, target: string): string[] {
  const folder = file.split('/')[0] ?? '';
  if (!(reach[folder]?.test(target) ?? true))
    return [`${file} imports ${target}, but the order is renderer → app ← main, and nothing reaches e2e`];
  if (isTest(target) && !isTest(file)) return [`${file} imports ${target}, which belongs to the tests`];
  if (folder !== 'app') return [];
  const toTheRight = roomOf(target) > roomOf(file);
  return toTheRight ? [`${file} imports ${target}, to its right. The order is ${order}`] : [];
}

function roomOf(file: string): number {
  return rooms.indexOf(file.split('/')[1] ?? '');
}

/** One problem for each import that closes a circle, told as the whole circle. */
function cycles(graph: Graph): string[] {
  const problems: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      problems.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
    } else if (!done.has(file)) {
      for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
      done.add(file);
    }
  };
  for (const file of graph.keys()) walk(file, []);
  return problems;
}

/** Whatever is outside the core, and every test, is a place from which the core is used. */
function orphans(graph: Graph): string[] {
  const waiting = [...graph.keys()].filter((file) => !file.startsWith('app/') || isTest(file));
  const reached = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const fresh = (graph.get(file) ?? []).filter((next) => !reached.has(next));
    for (const next of fresh) reached.add(next);
    waiting.push(...fresh);
  }
  const lost = [...graph.keys()].filter((file) => !reached.has(file) && !file.endsWith('.d.ts'));
  return lost.map(
    (file) => `${file} is an orphan: nothing outside the core, no test and no room that is used imports it`,
  );
}

if (import.meta.main) {
  const problems = checkRooms(process.cwd());
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'rooms: every import goes leftwards' : `rooms: ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
