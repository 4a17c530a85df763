import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { SessionId } from '../app/base/id.ts';
import type { Push } from '../app/contract/pushes.ts';
import { RequestError, type Reply } from '../app/contract/reply.ts';
import type { Input, Output, RequestName } from '../app/contract/requests.ts';

/** An event that was pushed: acknowledged, with the text in which it came. */
export interface PushedEvent {
  readonly sessionId: string;
  readonly seq: number;
  readonly text: string;
}

/** A real `gatehouse control` and what it said. `end` and `kill` leave nothing of it; one of them must be called. */
export class ControlClient {
  readonly pushes: Push[] = [];
  readonly events: PushedEvent[] = [];
  /** Replies to lines whose id could not be read. */
  readonly nameless: Reply[] = [];
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #listeners = new Set<() => void>();
  readonly #exit: Promise<number | null>;
  #errors = '';
  #last = 0;

  constructor(home: string, env: NodeJS.ProcessEnv = {}) {
    // Leads a group of its own, so that whatever happens all of it can be ended.
    this.#child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), 'control'], {
      env: { ...process.env, ...env, GATEHOUSE_HOME: home },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#exit = once(this.#child, 'close').then(([code]) => code as number | null);
    this.#child.stdin.on('error', () => undefined); // It may be killed before it has read everything.
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(line));
    void this.#exit.then(() => this.#wake());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  /** What it printed on stderr. */
  get errors(): string {
    return this.#errors;
  }

  /** Pending for ever when the process is killed before it answers. */
  reply(request: string, input: unknown = {}): Promise<Reply> {
    this.#last += 1;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#waiting.set(this.#last, resolve);
    this.#child.stdin.write(`${JSON.stringify({ id: this.#last, request, input })}\n`);
    return promise;
  }

  async request<N extends RequestName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await this.reply(name, input);
    if (!reply.ok) throw new RequestError(reply.code, reply.message);
    return reply.output as Output<N>; // The handler of this name made it.
  }

  /** Resolves when `check` holds, looked at after everything that comes. Rejects when the process has ended before. */
  async until(check: () => boolean): Promise<void> {
    const met = Promise.withResolvers<void>();
    const look = () => check() && met.resolve();
    this.#listeners.add(look);
    look();
    const ended = this.#exit.then((code) => {
      look();
      met.reject(new Error(`control ended with ${code}: ${this.#errors.slice(-2000)}`));
    });
    try {
      await Promise.race([met.promise, ended]);
      await met.promise;
    } finally {
      this.#listeners.delete(look);
    }
  }

  /** Ends its input; its exit code. */
  end(): Promise<number | null> {
    this.#child.stdin.end();
    return this.#exit;
  }

  /** The main process alone, at this moment; resolves when everything that it had written has been read. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    // Its descendants may hold the pipes for a moment.
    await this.#exit;
  }

  /** For the end of a test, however it went. */
  destroy(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  #hear(line: string): void {
    // Complete lines only: a killed process may leave half of one at the end.
    const message = parse(line);
    if (!message) return;
    if ('push' in message) this.#hearPush(message, line);
    else if (typeof message.id === 'number') this.#waiting.get(message.id)?.(message);
    else this.nameless.push(message);
    this.#wake();
  }

  #hearPush(push: Push, line: string): void {
    this.pushes.push(push);
    if (push.push !== 'event') return;
    const { sessionId, event } = push.data;
    this.events.push({
      sessionId,
      seq: event.seq,
      text: line.slice(line.indexOf(',"event":') + ',"event":'.length, -2),
    });
  }

  #wake(): void {
    for (const listener of Array.from(this.#listeners)) listener();
  }
}

export interface SessionOver {
  /** Where its workspace `repo` and its script lie. */
  readonly folder: string;
  readonly preset: string;
  /** All that its first turn does. */
  readonly calls: readonly object[];
}

/** A Session of this client, whose first prompt makes these calls at once. */
export async function sessionOver(client: ControlClient, { folder, preset, calls }: SessionOver): Promise<SessionId> {
  const [workspace, script] = [join(folder, 'repo'), join(folder, `script-${process.hrtime.bigint()}.json`)];
  await mkdir(workspace, { recursive: true });
  await writeFile(script, JSON.stringify({ answers: [{ calls }, { text: 'Done.' }] }));
  const { sessionId } = await client.request('session.create', { workspace, preset, agent: `script:${script}` });
  return sessionId;
}

type Message = Push | (Reply & { readonly id: number | string | null });

function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message; // Control writes nothing else.
  } catch {
    return undefined;
  }
}
