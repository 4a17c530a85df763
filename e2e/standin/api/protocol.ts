import type { Protocol } from 'electron/main';
import { only } from './watched.ts';

type Handler = Parameters<Protocol['handle']>[1];

/** The schemes of the app's own, and who answers for them. */
export interface Schemes {
  /** Privileged ones, which is what makes a scheme a standard one with origins. */
  readonly privileged: Set<string>;
  readonly handlers: Map<string, Handler>;
}

export type StandinProtocol = Pick<
  Protocol,
  'registerSchemesAsPrivileged' | 'handle' | 'unhandle' | 'isProtocolHandled'
>;

export function createProtocol(schemes: Schemes, isReady: () => boolean): StandinProtocol {
  return only<StandinProtocol>('protocol', {
    registerSchemesAsPrivileged(customSchemes) {
      if (isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
      for (const { scheme, privileges } of customSchemes) if (privileges?.standard) schemes.privileged.add(scheme);
    },
    handle(scheme, handler) {
      if (!isReady()) throw new Error("The 'protocol' module can only be used after app is ready");
      if (schemes.handlers.has(scheme)) throw new Error(`The scheme '${scheme}' has a handler already`);
      schemes.handlers.set(scheme, handler);
    },
    unhandle(scheme) {
      schemes.handlers.delete(scheme);
    },
    isProtocolHandled: (scheme) => schemes.handlers.has(scheme),
  });
}
