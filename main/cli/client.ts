import type { SessionId } from '../../app/base/id.ts';
import { RequestError } from '../../app/contract/reply.ts';
import type { Output, RequestName } from '../../app/contract/requests.ts';
import type { Core } from '../coreShape.ts';
import { Door } from '../door.ts';
import { createHandlers } from '../handlers.ts';
import { logFault } from '../base/logFault.ts';
import { controlHost } from '../host/controlHost.ts';
import type { Io } from './verb.ts';

/** The command line's own way through the door: the same requests, parsed by the same table. */
export interface Client {
  /** Throws a RequestError with the code of an error reply. */
  request<N extends RequestName>(name: N, input: object): Promise<Output<N>>;
}

export function connect(core: Core, io: Io, follow?: (sessionId: SessionId, seq?: number) => void): Client {
  const handlers = createHandlers(core, controlHost(core.home));
  const door = new Door({ handlers, onFault: (fault) => logFault(io.stderr, fault) });
  const caller = { door: 'cli', follow: follow ?? (() => undefined) };
  return {
    async request<N extends RequestName>(name: N, input: object) {
      const reply = await door.answer(caller, name, input);
      if (!reply.ok) throw new RequestError(reply.code, reply.message);
      // The handler of this name made it, and the table of handlers is typed by the same name.
      return reply.output as Output<N>;
    },
  };
}

/** Opens the core for one piece of work and closes it whatever happens; an end signal closes it at once. */
export async function withCore<T>(io: Io, work: (core: Core) => Promise<T>): Promise<T> {
  const core = await io.openCore();
  const end = (): void => void core.close().catch((fault: unknown) => logFault(io.stderr, fault));
  if (io.signal.aborted) end();
  io.signal.addEventListener('abort', end, { once: true });
  try {
    return await work(core);
  } finally {
    io.signal.removeEventListener('abort', end);
    await core.close();
  }
}
