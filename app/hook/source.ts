import type { Confinement } from '../tool/ports.ts';
import type { Hook } from './hook.ts';

export type HooksInForce =
  | { readonly kind: 'hooks'; readonly hooks: readonly Hook[] }
  /** A block that is there and not understood: until it is, nobody knows what its hooks would say. `hooks` are those known. */
  | { readonly kind: 'unknown'; readonly message: string; readonly hooks: readonly Hook[] };

/** Port: where the hooks of one Session are written. */
export interface HookSource {
  /** False where there are certainly none, so that nothing is looked up. */
  some(): boolean;
  read(at: Confinement, signal: AbortSignal): Promise<HooksInForce>;
  /** What was read last, with what is known without reading; undefined while that is not all there may be. */
  known(): readonly Hook[] | undefined;
}
