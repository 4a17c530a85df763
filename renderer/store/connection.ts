import { create } from 'zustand';
import type { HostDescription } from '../../app/contract/host.ts';
import type { WireState } from '../wire/host.ts';

/** How this window stands with the main process. */
export interface Connection {
  readonly wire: WireState;
  /** Undefined until the main process has said. */
  readonly host: HostDescription | undefined;
  /** Everything that the first screen shows has arrived. */
  readonly loaded: boolean;
}

export const useConnection = create<Connection>(() => ({
  wire: { kind: 'connecting' },
  host: undefined,
  loaded: false,
}));
