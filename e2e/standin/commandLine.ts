import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface PackageInfo {
  readonly name: string;
  readonly version: string;
  readonly main: string;
  readonly type?: string;
}

export interface Started {
  /** As the app sees it: the binary, then everything it was started with. */
  readonly argv: readonly string[];
  /** Scripts that run before the app (`-r`). */
  readonly preloads: readonly string[];
  readonly appPath: string;
  readonly entry: string;
  readonly package: PackageInfo;
  readonly isPackaged: boolean;
}

/** Reads Electron's command line: switches, `-r <script>`, and the folder or file of the app. */
export function readCommandLine(exe: string, args: readonly string[]): Started {
  const preloads = args.flatMap((arg, at) => (args[at - 1] === '-r' ? [arg] : []));
  const named = args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-r');
  const packaged = join(dirname(exe), 'resources', 'app');
  const isPackaged = existsSync(packaged);
  if (named === undefined && !isPackaged) throw new Error('electron stand-in: no app is given');
  const app = resolve(isPackaged || named === undefined ? packaged : named);
  return { argv: [exe, ...args], preloads, isPackaged, ...locate(app) };
}

function locate(app: string): Pick<Started, 'appPath' | 'entry' | 'package'> {
  if (!statSync(app).isDirectory()) {
    return { appPath: dirname(app), entry: app, package: { name: 'Electron', version: electronVersion(), main: app } };
  }
  const text = readFileSync(join(app, 'package.json'), 'utf8');
  const given = JSON.parse(text) as Partial<PackageInfo> & { productName?: string }; // a package.json of the app
  const main = given.main ?? 'index.js';
  const name = given.productName ?? given.name ?? 'Electron';
  return {
    appPath: app,
    entry: join(app, main),
    package: { ...given, name, version: given.version ?? '0.0.0', main },
  };
}

/** Of the Electron whose place is taken. */
export function electronVersion(): string {
  const file = join(import.meta.dirname, '..', '..', 'node_modules', 'electron', 'package.json');
  return String((JSON.parse(readFileSync(file, 'utf8')) as { version: unknown }).version);
}

export class Switches {
  readonly #values = new Map<string, string>();
  /** What the app itself has added. */
  readonly #added: string[] = [];

  constructor(args: readonly string[]) {
    for (const arg of args) {
      const [, name, value = ''] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
      if (name !== undefined) this.#values.set(name, value);
    }
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  add(name: string, value?: string): void {
    this.#values.set(name, value ?? '');
    this.#added.push(value ? `--${name}=${value}` : `--${name}`);
  }

  get added(): readonly string[] {
    return this.#added;
  }
}
