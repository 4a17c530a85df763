import { createHash } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface SecondInstance {
  readonly argv: readonly string[];
  readonly workingDirectory: string;
  readonly data: unknown;
}

/**
 * One process per data folder. The lock is a name in the kernel that only one process can listen on; it goes away with
 * the process, however that ends, and taking it cannot race.
 */
export class InstanceLock {
  readonly #onSecond: (second: SecondInstance) => void;
  #server: Server | undefined;
  #told: Promise<void> = Promise.resolve();

  constructor(onSecond: (second: SecondInstance) => void) {
    this.#onSecond = onSecond;
  }

  get isHeld(): boolean {
    return this.#server !== undefined;
  }

  /** False: another process has it, and is told who came. */
  request(folder: string, who: SecondInstance): boolean {
    if (this.#server) return true;
    const path = `\0standin-${createHash('sha256').update(folder).digest('hex').slice(0, 40)}`;
    const server = createServer((socket) => void this.#receive(socket));
    // A name that is taken is told twice: by `listening` now, and by this event later.
    server.on('error', () => undefined);
    server.listen({ path });
    if (!server.listening) {
      this.#told = tell(path, who);
      return false;
    }
    server.unref();
    this.#server = server;
    return true;
  }

  release(): void {
    this.#server?.close();
    this.#server = undefined;
  }

  /** Settles when the first instance has heard of this one, where there is a first. */
  told(): Promise<void> {
    return this.#told;
  }

  async #receive(socket: Socket): Promise<void> {
    let text = '';
    socket.setEncoding('utf8').on('error', () => undefined);
    for await (const part of socket) text += String(part);
    socket.end();
    this.#onSecond(JSON.parse(text) as SecondInstance); // another stand-in wrote it
  }
}

function tell(path: string, who: SecondInstance): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ path }, () => socket.end(JSON.stringify(who)));
  // The first instance may be ending; then there is nobody to tell.
  socket.on('error', () => resolve());
  socket.on('close', () => resolve());
  socket.resume();
  return promise;
}
