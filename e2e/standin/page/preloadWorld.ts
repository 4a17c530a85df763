// Read as text into the isolated world of a page: what a sandboxed preload finds there.
import type { ContextBridge, IpcRenderer } from 'electron/renderer';
import { openBridge } from './bridge.ts';
import { decode, encode } from './codec.ts';

/** From the page to the main process. */
export interface Outgoing {
  readonly id: number;
  readonly channel: string;
  readonly args: unknown;
}

/** From the main process to the page. */
export type Incoming =
  | { readonly kind: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string }
  | { readonly kind: 'event'; readonly channel: string; readonly args: unknown };

interface About {
  readonly secret: string;
  readonly platform: string;
  readonly arch: string;
  readonly versions: Readonly<Record<string, string | undefined>>;
}

export interface PreloadWorld {
  require(id: string): unknown;
  readonly process: object;
  /** Takes what the main process sends. */
  readonly receive: (json: string) => void;
}

type IpcListener = Parameters<IpcRenderer['on']>[1];
type IpcEvent = Parameters<IpcListener>[0];

/** What a window's preload needs; the rest of Electron's is refused by name. */
interface PreloadIpc extends Pick<IpcRenderer, 'invoke'> {
  on(channel: string, listener: IpcListener): void;
  off(channel: string, listener: IpcListener): void;
}

export function openPreloadWorld(about: About, post: (json: string) => void): PreloadWorld {
  const bridge = openBridge('isolated', about.secret);
  const { ipcRenderer, receive } = openIpc(post);
  const contextBridge: Pick<ContextBridge, 'exposeInMainWorld'> = {
    exposeInMainWorld: (key: string, api: unknown) => bridge.expose(key, api),
  };
  const electron = known('electron', {
    contextBridge: known('contextBridge', contextBridge),
    ipcRenderer: known('ipcRenderer', ipcRenderer),
  });
  return {
    require(id) {
      if (id === 'electron' || id === 'electron/renderer') return electron;
      throw new Error(`module not found: ${id}`);
    },
    process: {
      type: 'renderer',
      sandboxed: true,
      contextIsolated: true,
      isMainFrame: true,
      env: {},
      argv: [],
      ...about,
    },
    receive,
  };
}

interface Ipc {
  readonly ipcRenderer: PreloadIpc;
  readonly receive: (json: string) => void;
}

function openIpc(post: (json: string) => void): Ipc {
  const listeners = new Map<string, readonly IpcListener[]>();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const heard = (channel: string): readonly IpcListener[] => listeners.get(channel) ?? [];
  let last = 0;
  return {
    ipcRenderer: {
      invoke(channel, ...args: unknown[]) {
        const id = ++last;
        const message: Outgoing = { id, channel, args: encode(args) };
        const answer = Promise.withResolvers<unknown>();
        waiting.set(id, answer);
        post(JSON.stringify(message));
        return answer.promise;
      },
      on: (channel, listener) => void listeners.set(channel, [...heard(channel), listener]),
      off(channel, listener) {
        const kept = heard(channel).filter((known) => known !== listener);
        listeners.set(channel, kept);
      },
    },
    receive(json) {
      const message = JSON.parse(json) as Incoming; // the main process of the stand-in wrote it
      if (message.kind === 'event') tell(heard(message.channel), message.args);
      else settle(waiting.get(message.id), message);
      if (message.kind !== 'event') waiting.delete(message.id);
    },
  };
}

function tell(listeners: readonly IpcListener[], args: unknown): void {
  const decoded = decode(args) as unknown[]; // a list was encoded
  // A preload may look at nothing of the event but must be given one.
  for (const listener of listeners) listener({ ports: [] } as unknown as IpcEvent, ...decoded);
}

function settle(
  answer: PromiseWithResolvers<unknown> | undefined,
  message: Exclude<Incoming, { kind: 'event' }>,
): void {
  if (message.kind === 'reply') answer?.resolve(decode(message.value));
  else answer?.reject(new Error(message.message));
}

function known<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get(target, key, receiver) {
      if (key in target || typeof key === 'symbol' || key === 'default' || key === '__esModule' || key === 'then') {
        return Reflect.get(target, key, receiver);
      }
      throw new Error(`electron stand-in: ${name}.${key} is not implemented`);
    },
  });
}
