import type { WebSocket } from 'ws';
import type { Limits } from './limits.ts';

/**
 * Asks the other side again and again whether it is there, and drops it when it stays silent. A page does not see what is
 * asked: it gets a `beat` beside it. Returns how to stop.
 */
export function keepAlive(
  socket: WebSocket,
  { pingMs, missedPings }: Pick<Limits, 'pingMs' | 'missedPings'>,
  beat: () => void,
): () => void {
  let missed = 0;
  const hear = (): void => void (missed = 0);
  socket.on('pong', hear);
  socket.on('message', hear);
  const timer = setInterval(() => {
    if (missed >= missedPings) return socket.terminate();
    missed += 1;
    socket.ping();
    beat();
  }, pingMs);
  return () => clearInterval(timer);
}
