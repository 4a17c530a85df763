import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Something of the host that a sandbox may or may not reach; it says one word to whoever comes. */
export interface Listeners {
  readonly word: string;
  /** On loopback. */
  readonly port: number;
  /** An abstract socket, which no mount covers; undefined where the system has none. */
  readonly socket: string | undefined;
  close(): Promise<void>;
}

/** Open only while a probe runs. Nothing is taken from who connects. */
export async function openListeners(): Promise<Listeners> {
  const word = randomBytes(12).toString('base64url');
  const servers: Server[] = [];
  const listen = async (at: { readonly path: string } | { readonly port: number; readonly host: string }) => {
    const server = createServer((visitor) => {
      visitor.on('error', () => undefined);
      visitor.resume().end(word);
    });
    servers.push(server);
    server.listen(at);
    await once(server, 'listening');
    return server.address();
  };
  const close = async () => void (await Promise.all(servers.map((server) => end(server))));
  try {
    const address = await listen({ port: 0, host: '127.0.0.1' });
    if (typeof address !== 'object' || !address) throw new Error('A TCP server has no address');
    const socket = process.platform === 'linux' ? `\0gatehouse-probe-${word}` : undefined;
    if (socket !== undefined) await listen({ path: socket });
    return { word, port: address.port, socket, close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

async function end(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  await closed;
}
