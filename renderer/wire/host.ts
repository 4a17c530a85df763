import type { Reply } from '../../app/contract/reply.ts';

/** The way to the main process, whichever host this window is in. */
export interface Wire {
  /** Always a reply; while the way is lost, `closing`. */
  request(name: string, input: unknown): Promise<Reply>;
  /** One push, as JSON text. */
  onPush(listener: (json: string) => void): () => void;
  /** Told at once how it stands, then of every change. */
  onState(listener: (state: WireState) => void): () => void;
  /** A person is at this window. */
  touched(): void;
  /** A link that lets another window in; undefined where the host opens windows itself. */
  link(): Promise<string | undefined>;
}

export type WireState =
  | { readonly kind: 'connecting' }
  /** `anew`: an earlier connection was lost, and what was pushed meanwhile is not known. */
  | { readonly kind: 'ready'; readonly anew: boolean }
  /** It is tried again by itself. */
  | { readonly kind: 'lost' }
  /** Nothing is tried again: this window was not let in. */
  | { readonly kind: 'refused'; readonly reason: string };
