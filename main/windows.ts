import type { Push } from '../app/contract/pushes.ts';
import type { Reply } from '../app/contract/reply.ts';
import type { Caller, Handlers } from '../app/contract/requests.ts';
import type { Core, PushSource } from './coreShape.ts';
import { Door } from './door.ts';
import { DoorPushes } from './pushes.ts';

export interface WindowsOptions {
  readonly core: Pick<Core, 'attend'>;
  /** What the windows are told. */
  readonly source: PushSource;
  readonly handlers: Handlers;
  readonly onFault: (fault: unknown) => void;
}

/** One window, through whichever host's wire. */
export interface WindowConnection {
  /** Always a reply, never a rejection. */
  answer(request: unknown, input: unknown): Promise<Reply>;
  /** A person is at this window: what only one is told, this one is. */
  touched(): void;
  /** The window is gone or loads anew: it follows nothing and answers nothing any more. Twice is once. */
  close(): void;
}

/** Every window of this process. Each is an answerer of approvals while it is connected, and follows Sessions of its own. */
export class Windows {
  readonly #options: WindowsOptions;
  readonly #door: Door;
  /** In the order they were touched, the last one last. */
  readonly #tellers = new Set<(push: Push) => void>();

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#door = new Door(options);
  }

  /**
   * `name` is recorded with the decisions that come through it. `deliver` hands over one push as JSON text and resolves
   * when the window can take the next.
   */
  connect(name: string, deliver: (json: string) => Promise<void>): WindowConnection {
    const { core, source, onFault } = this.#options;
    const pushes = new DoorPushes({ source, deliver, onFault });
    const leave = core.attend();
    const caller: Caller = { door: name, follow: (sessionId, seq) => pushes.follow(sessionId, seq) };
    const tell = (push: Push): void => void deliver(JSON.stringify(push)).catch(onFault);
    this.#tellers.add(tell);
    return {
      answer: (request, input) => this.#door.answer(caller, request, input),
      touched: () => {
        if (this.#tellers.delete(tell)) this.#tellers.add(tell);
      },
      close: () => {
        if (!this.#tellers.delete(tell)) return;
        pushes.close();
        leave();
      },
    };
  }

  /** To the window that a person touched last. False: there is none. */
  tellOne(push: Extract<Push, { push: 'note' | 'show' }>): boolean {
    const last = Array.from(this.#tellers).at(-1);
    last?.(push);
    return last !== undefined;
  }

  /** New requests are refused as `closing`; those that run are finished. */
  beginClosing(): void {
    this.#door.beginClosing();
  }
}
