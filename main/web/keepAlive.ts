import type { WebSocket } from 'ws';
import type { Limits } from './limits.ts';

/** Asks the other side again and again whether it is there, and drops it when it stays silent. Returns how to stop. */
export function keepAlive(
  socket: WebSocket,
  { pingMs, missedPings }: Pick<Limits, 'pingMs' | 'missedPings'>,
): () => void {
  let missed = 0;
  const hear = (): void => void (missed = 0);
  socket.on('pong', hear);
  socket.on('message', hear);
  const timer = setInterval(() => {
    if (missed >= missedPings) return socket.terminate();
    missed += 1;
    socket.ping();
  }, pingMs);
  return () => clearInterval(timer);
}
