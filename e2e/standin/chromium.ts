import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { CdpConnection } from './cdp.ts';

const PROGRAMS = ['chromium-headless-shell', 'chromium', 'google-chrome'];

/** What every Chromium of the tests is started with: it asks nobody anything and looks the same everywhere. */
export const QUIET = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-extensions',
  '--disable-dev-shm-usage',
  '--disable-search-engine-choice-screen',
  '--disable-features=HttpsUpgrades,Translate,OptimizationHints,MediaRouter,PaintHolding',
  '--force-color-profile=srgb',
  // No name is ever looked up; a test serves its hostile pages from the loopback address.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Chromium refuses to confine its renderers for root. Only the tests run as root; the product never passes this. */
export const AS_ROOT = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export function findChromium(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program))).find(isProgram);
  if (!found) throw new Error(`No Chromium on PATH (${PROGRAMS.join(', ')}) and CHROMIUM_PATH is not set`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface ChromiumOptions {
  /** Where it keeps what pages store. */
  readonly profile: string;
  /** Opens a debugging port besides the pipe, as `--remote-debugging-port` does in Electron. */
  readonly port?: string;
  readonly switches: readonly string[];
}

/** The browser behind all windows of the stand-in. It ends with its pipe, so also when the stand-in is killed. */
export class Chromium {
  readonly connection: CdpConnection;
  readonly closed: Promise<void>;
  readonly #process: ChildProcess;

  constructor(options: ChromiumOptions) {
    mkdirSync(options.profile, { recursive: true });
    this.#process = spawn(findChromium(), argumentsFor(options), {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    const [, , stderr, output, input] = this.#process.stdio;
    if (!(stderr instanceof Readable && output instanceof Writable && input instanceof Readable)) {
      throw new Error('Chromium was started without its pipes');
    }
    this.connection = new CdpConnection(output, input);
    this.closed = new Promise((resolve) => this.#process.once('exit', () => resolve()));
    forward(stderr);
  }

  /** Asks it to write what pages have stored and to end; insists after a while. */
  async close(): Promise<void> {
    this.connection.browser.send('Browser.close').catch(() => undefined);
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 2_000);
    await this.closed;
    clearTimeout(timer);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }
}

function argumentsFor({ profile, port, switches }: ChromiumOptions): string[] {
  return [
    '--headless',
    '--hide-scrollbars',
    '--remote-debugging-pipe',
    ...(port === undefined ? [] : [`--remote-debugging-port=${port}`]),
    `--user-data-dir=${profile}`,
    '--no-startup-window',
    // A page opens no window by itself: what the app answers to `setWindowOpenHandler` decides.
    '--block-new-web-contents',
    '--password-store=basic',
    '--use-mock-keychain',
    '--test-type',
    ...QUIET,
    ...AS_ROOT,
    ...switches,
  ];
}

/** A debugger waits for the line that says where Chromium listens; the rest is noise unless it is asked for. */
function forward(stderr: Readable): void {
  const all = process.env['ELECTRON_STANDIN_LOG'] !== undefined;
  createInterface({ input: stderr }).on('line', (line) => {
    if (all || line.startsWith('DevTools listening')) process.stderr.write(`${line}\n`);
  });
}
