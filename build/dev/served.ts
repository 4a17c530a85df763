import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What `serve` says last when it starts: from then on it also hears the signal that asks for another link. */
const READY = 'Ctrl+C';

/** The browser host, as its terminal sees it: links on its output, one a line, and words on the other. */
export class Served {
  readonly child: ChildProcess;
  readonly #links: URL[] = [];
  readonly #waiting: ((link: URL) => void)[] = [];
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  /** What it said while it started. */
  #said: string[] = [];

  constructor(
    command: readonly [string, ...string[]],
    options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  ) {
    const [program, ...args] = command;
    // In a group of its own a terminal does not tell it to end as well: told twice, it would not end in order.
    this.child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const { stdout, stderr } = this.child;
    if (stdout) createInterface({ input: stdout }).on('line', (line) => this.#linked(line));
    if (stderr) createInterface({ input: stderr }).on('line', (line) => this.#told(line));
    this.child.once('close', () => this.#ready.resolve());
  }

  /** Resolves with what it said when it is ready; with nothing, and after telling why, when it ended before. */
  async begun(): Promise<string | undefined> {
    await this.#ready.promise;
    const said = this.#said.join('\n');
    if (this.#isReady) return said;
    console.error(said);
    return undefined;
  }

  /** A link that lets one window in, once. */
  link(given: (link: URL) => void): void {
    this.#waiting.push(given);
    this.#give();
  }

  #linked(line: string): void {
    this.#links.push(new URL(line));
    this.#give();
  }

  #told(line: string): void {
    if (this.#isReady) return console.error(line);
    this.#said.push(line);
    if (!line.startsWith(READY)) return;
    this.#isReady = true;
    this.#ready.resolve();
    this.#give();
  }

  #give(): void {
    for (let link = this.#links[0]; link && this.#waiting.length > 0; link = this.#links[0]) {
      this.#links.shift();
      this.#waiting.shift()?.(link);
    }
    // Before it is ready the signal would end it.
    if (this.#waiting.length > 0 && this.#isReady) this.child.kill('SIGUSR2');
  }
}
