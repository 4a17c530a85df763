import { contextBridge, ipcRenderer } from 'electron';
import { PUSH, REQUEST } from '../app/contract/channel.ts';

/** Everything a window has of the main process. The event of Electron stays here: it would give away `ipcRenderer`. */
contextBridge.exposeInMainWorld('gatehouse', {
  request: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke(REQUEST, name, input),
  onPush: (listener: (json: string) => void): (() => void) => {
    const relay = (_event: unknown, json: string): void => listener(json);
    ipcRenderer.on(PUSH, relay);
    return () => void ipcRenderer.off(PUSH, relay);
  },
});
