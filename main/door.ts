import { Cancelled } from '../app/base/cancel.ts';
import { errorReply, RequestError, type ErrorCode, type ErrorReply, type Reply } from '../app/contract/reply.ts';
import { isRequest, requests, type Caller, type Handlers } from '../app/contract/requests.ts';
import { StorageError } from '../app/log/journal.ts';
import { StoreError, type StoreFault } from '../app/session/store.ts';

export interface DoorOptions {
  readonly handlers: Handlers;
  /** Hears of every fault behind an `internal` or `storage` reply: the client is never shown more than a sentence. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * The one way in, the same for every kind of connection: known name, parsed input, then one handler. Every failure is a
 * reply; `answer` never rejects. A handler starts within the call, so requests start in the order they are given.
 */
export class Door {
  readonly #handlers: Handlers;
  readonly #onFault: (fault: unknown) => void;
  #closing = false;

  constructor(options: DoorOptions) {
    this.#handlers = options.handlers;
    this.#onFault = options.onFault;
  }

  /** From now on every request is answered `closing`; those that have started go on. */
  beginClosing(): void {
    this.#closing = true;
  }

  async answer(caller: Caller, name: unknown, raw: unknown): Promise<Reply> {
    if (this.#closing) return errorReply('closing', 'Gatehouse is closing: nothing was started.');
    if (!isRequest(name)) return errorReply('unknown-request', `There is no request ${quote(name)}`);
    try {
      const parsed = requests[name].input.safeParse(raw);
      if (!parsed.success) return errorReply('invalid-input', describe(name, parsed.error.issues));
      // Table and handlers are keyed alike, so the input parsed by `name`'s schema is what `name`'s handler takes.
      const handle = this.#handlers[name] as (input: unknown, caller: Caller) => Promise<unknown>;
      return { ok: true, output: await handle(parsed.data, caller) };
    } catch (fault) {
      return this.#judge(fault);
    }
  }

  #judge(fault: unknown): ErrorReply {
    if (fault instanceof Cancelled && fault.why.kind === 'shutdown')
      return errorReply('closing', 'Gatehouse is closing. This was begun and not done.');
    if (fault instanceof RequestError) return errorReply(fault.code, fault.message, fault.confirm);
    if (fault instanceof StoreError) {
      if (fault.code === 'storage') this.#onFault(fault);
      return errorReply(STORE_CODES[fault.code], fault.message);
    }
    this.#onFault(fault);
    if (fault instanceof StorageError) return errorReply('storage', fault.message);
    return errorReply('internal', 'Something went wrong inside Gatehouse. Its standard error has the details.');
  }
}

const STORE_CODES: Readonly<Record<StoreFault, ErrorCode>> = {
  'not-found': 'not-found',
  conflict: 'conflict',
  'too-large': 'too-large',
  storage: 'storage',
  damaged: 'damaged',
  'newer-version': 'newer-version',
  'invalid-header': 'damaged',
};

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const SHOWN = 3;
/** Of the message about an invalid input, its full stop included. */
const LONGEST = 1000;

/** The first places that are wrong, in words: `session.open: sessionId: must be an id; after: …`. */
function describe(name: string, issues: readonly Issue[]): string {
  const told = issues
    .slice(0, SHOWN)
    .map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message));
  const more = issues.length - told.length;
  // A key of the input may be as long as a line; cutting it may leave half a character.
  return `${name}: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`.slice(0, LONGEST - 1).toWellFormed();
}

/** What was sent, short enough to be sent back. */
function quote(name: unknown): string {
  return typeof name === 'string' ? JSON.stringify(name.slice(0, 100)) : `of type ${typeof name}`;
}
