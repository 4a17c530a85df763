// Read as text into both worlds of a page. Two worlds share the DOM and nothing else, so values cross as the detail of
// events, synchronously, as they do through Electron's context bridge.

type World = 'main' | 'isolated';

/** How a value crosses: as it is, or by the number of what stays on its own side. */
type Crossing =
  | { readonly value: unknown }
  | { readonly call: number }
  | { readonly promise: number }
  | { readonly error: string }
  | { readonly list: readonly Crossing[] }
  | { readonly members: readonly (readonly [string, Crossing])[] };

type Answer = { readonly returned: Crossing } | { readonly thrown: Crossing };
type Message =
  | { readonly kind: 'expose'; readonly key: string; readonly api: Crossing }
  | { readonly kind: 'call'; readonly id: number; readonly args: readonly Crossing[] }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'settle'; readonly id: number; readonly answer: Answer };

export interface Bridge {
  readonly expose: (key: string, api: unknown) => void;
}

type Post = (message: Message) => void;

/** The secret names the events, so that a page cannot forge one. */
export function openBridge(world: World, secret: string): Bridge {
  const [outgoing, incoming] = world === 'main' ? [`${secret}:i`, `${secret}:m`] : [`${secret}:m`, `${secret}:i`];
  const dispatch = document.dispatchEvent.bind(document);
  const half = new Half((message) => void dispatch(new CustomEvent(outgoing, { detail: message })));
  document.addEventListener(incoming, (event) => {
    event.stopImmediatePropagation();
    // Only the other half of the bridge knows the name of the event.
    if (event instanceof CustomEvent) half.receive(event.detail as Message);
  });
  return { expose: (key, api) => half.expose(key, api) };
}

/** One side of the bridge. What is asked is answered before `post` returns. */
class Half {
  readonly #post: Post;
  readonly #values: Values;
  #answer: Answer | undefined;

  constructor(post: Post) {
    this.#post = post;
    this.#values = new Values(post, (message) => this.#ask(message));
  }

  expose(key: string, api: unknown): void {
    this.#ask({ kind: 'expose', key, api: this.#values.pack(api) });
  }

  receive(message: Message): void {
    const values = this.#values;
    if (message.kind === 'answer') this.#answer = message.answer;
    else if (message.kind === 'settle') values.settle(message.id, message.answer);
    else if (message.kind === 'call') this.#post({ kind: 'answer', answer: values.invoke(message.id, message.args) });
    else {
      const answer = values.attempt(() => define(message.key, values.unpack(message.api)));
      this.#post({ kind: 'answer', answer });
    }
  }

  #ask(message: Message): unknown {
    this.#answer = undefined;
    this.#post(message);
    const answer: Answer | undefined = this.#answer;
    if (!answer) throw new Error('The other world does not answer');
    return this.#values.open(answer);
  }
}

function define(key: string, api: unknown): void {
  if (Object.hasOwn(window, key)) {
    throw new Error('Cannot bind an API on top of an existing property on the window object');
  }
  Object.defineProperty(window, key, {
    value: freezeDeep(api),
    enumerable: true,
    writable: false,
    configurable: false,
  });
}

function freezeDeep(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freezeDeep(member);
  return Object.freeze(value);
}

type Callable = (...args: unknown[]) => unknown;

/** Values on their way: what cannot be copied stays where it is and is known by a number on the other side. */
class Values {
  readonly #post: Post;
  readonly #ask: (message: Message) => unknown;
  readonly #mine = new Map<number, Callable>();
  readonly #ids = new WeakMap<Callable, number>();
  readonly #theirs = new Map<number, Callable>();
  readonly #promised = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  constructor(post: Post, ask: (message: Message) => unknown) {
    this.#post = post;
    this.#ask = ask;
  }

  pack(value: unknown): Crossing {
    // Whatever can be called was made by the app with whatever parameters.
    if (typeof value === 'function') return { call: this.#keep(value as Callable) };
    if (typeof value === 'symbol') throw new TypeError('An object could not be cloned.');
    if (typeof value !== 'object' || value === null) return { value };
    if (isPromise(value)) return { promise: this.#follow(value) };
    if (value instanceof Error) return { error: value.message };
    if (Array.isArray(value)) return { list: value.map((item: unknown) => this.pack(item)) };
    if (isBuiltIn(value)) return { value };
    return { members: Object.entries(value).map(([key, member]) => [key, this.pack(member)] as const) };
  }

  unpack(crossing: Crossing): unknown {
    if ('value' in crossing) return crossing.value;
    if ('call' in crossing) return this.#callable(crossing.call);
    if ('promise' in crossing) return this.#promise(crossing.promise);
    if ('error' in crossing) return new Error(crossing.error);
    if ('list' in crossing) return crossing.list.map((item) => this.unpack(item));
    return Object.fromEntries(crossing.members.map(([key, member]) => [key, this.unpack(member)]));
  }

  open(answer: Answer): unknown {
    if ('thrown' in answer) throw this.unpack(answer.thrown);
    return this.unpack(answer.returned);
  }

  attempt(work: () => unknown): Answer {
    try {
      return { returned: this.pack(work()) };
    } catch (fault) {
      return { thrown: this.pack(fault) };
    }
  }

  invoke(id: number, args: readonly Crossing[]): Answer {
    return this.attempt(() => this.#mine.get(id)?.(...args.map((each) => this.unpack(each))));
  }

  settle(id: number, answer: Answer): void {
    const waiting = this.#promised.get(id);
    this.#promised.delete(id);
    if ('thrown' in answer) waiting?.reject(this.unpack(answer.thrown));
    else waiting?.resolve(this.unpack(answer.returned));
  }

  #keep(call: Callable): number {
    const id = this.#ids.get(call) ?? ++this.#last;
    this.#ids.set(call, id);
    this.#mine.set(id, call);
    return id;
  }

  #follow(promise: PromiseLike<unknown>): number {
    const id = ++this.#last;
    const settle = (answer: Answer): void => this.#post({ kind: 'settle', id, answer });
    Promise.resolve(promise).then(
      (value) => settle(this.attempt(() => value)),
      (fault: unknown) => settle({ thrown: this.pack(fault) }),
    );
    return id;
  }

  #callable(id: number): Callable {
    const known = this.#theirs.get(id);
    if (known) return known;
    const call: Callable = (...args) => this.#ask({ kind: 'call', id, args: args.map((each) => this.pack(each)) });
    this.#theirs.set(id, call);
    return call;
  }

  #promise(id: number): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>();
    this.#promised.set(id, waiting);
    return waiting.promise;
  }
}

function isPromise(value: object): value is PromiseLike<unknown> {
  return 'then' in value && typeof value.then === 'function';
}

function isBuiltIn(value: object): boolean {
  const kinds = [Date, RegExp, Map, Set, ArrayBuffer, Blob];
  return ArrayBuffer.isView(value) || kinds.some((kind) => value instanceof kind);
}
