import type { IpcMain, IpcMainInvokeEvent } from 'electron/main';
import { decode, encode } from '../page/codec.ts';
import type { Incoming, Outgoing } from '../page/preloadWorld.ts';
import { only } from './watched.ts';

type Handler = Parameters<IpcMain['handle']>[1];
export type IpcHandlers = Map<string, Handler>;
export type StandinIpcMain = Pick<IpcMain, 'handle' | 'handleOnce' | 'removeHandler'>;

export function createIpcMain(handlers: IpcHandlers): StandinIpcMain {
  const ipcMain = only<StandinIpcMain>('ipcMain', {
    handle(channel, handler) {
      if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
      handlers.set(channel, handler);
    },
    handleOnce(channel, handler) {
      ipcMain.handle(channel, (event, ...args) => {
        handlers.delete(channel);
        return handler(event, ...args);
      });
    },
    removeHandler(channel) {
      handlers.delete(channel);
    },
  });
  return ipcMain;
}

/** What an `invoke` is answered with. Of an error only the text survives, as in Electron. */
export async function answerInvoke(handlers: IpcHandlers, event: IpcMainInvokeEvent, json: string): Promise<Incoming> {
  const { id, channel, args } = JSON.parse(json) as Outgoing; // the preload world of the stand-in wrote it
  const handler = handlers.get(channel);
  const refuse = (fault: unknown): Incoming => {
    return { kind: 'refusal', id, message: `Error invoking remote method '${channel}': ${String(fault)}` };
  };
  if (!handler) return refuse(new Error(`No handler registered for '${channel}'`));
  try {
    const value: unknown = await handler(event, ...(decode(args) as unknown[])); // a list was encoded
    return { kind: 'reply', id, value: encode(value) };
  } catch (fault) {
    console.error(`Error occurred in handler for '${channel}':`, fault);
    return refuse(fault);
  }
}
