import type { Reply } from '../../app/contract/reply.ts';
import type { Wire } from './host.ts';

/** What the preload script exposes under Electron. */
export interface Bridge {
  request(name: string, input: unknown): Promise<Reply>;
  onPush(listener: (json: string) => void): () => void;
}

declare global {
  interface Window {
    readonly gatehouse?: Bridge;
  }
}

/** Under Electron the way is always there: it ends with the window. */
export function bridgeWire(bridge: Bridge): Wire {
  return {
    request: (name, input) => bridge.request(name, input),
    onPush: (listener) => bridge.onPush(listener),
    onState: (listener) => {
      listener({ kind: 'ready', anew: false });
      return () => undefined;
    },
    touched: () => undefined,
    link: () => Promise.resolve(undefined),
  };
}
