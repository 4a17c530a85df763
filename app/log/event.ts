/** What a room wants recorded. `type` is `room/name`. */
export interface Draft<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
  /** An older program may skip an event of a type it does not know only when this is set. */
  readonly ignorable?: true;
}

/** A committed event: deeply frozen; `seq` is its index in the log; `time` is epoch ms and never decides an order. */
export type Event<D extends Draft = Draft> = D extends Draft
  ? D & { readonly seq: number; readonly time: number }
  : never;
