import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron/main';
import { PUSH, REQUEST } from '../app/contract/channel.ts';
import { errorReply, type Reply } from '../app/contract/reply.ts';
import { isTrusted, type OwnOrigins } from './electron/origin.ts';
import { Wire } from './electron/wire.ts';
import type { Windows } from './windows.ts';

export interface IpcOptions {
  readonly windows: Windows;
  readonly origins: OwnOrigins;
}

/** The door of Electron's windows: a known sender, then the table of requests (style.md, One contract, one door). */
export class IpcDoor {
  readonly #options: IpcOptions;
  /** By the id of their contents. */
  readonly #wires = new Map<number, Wire>();

  constructor(options: IpcOptions) {
    this.#options = options;
    ipcMain.handle(REQUEST, (event, request: unknown, input: unknown) => this.#answer(event, request, input));
  }

  /** From now on this window may ask, until its contents are destroyed. */
  admit(contents: WebContents, name: string): Wire {
    const { id } = contents;
    const send = (json: string): void => {
      // Between the end of a page and the news of it, what is sent is for nobody.
      if (!contents.isDestroyed() && !contents.isCrashed()) contents.send(PUSH, json);
    };
    const wire = new Wire({ windows: this.#options.windows, name, send });
    this.#wires.set(id, wire);
    contents.on('did-navigate', () => wire.renew());
    contents.on('render-process-gone', () => wire.renew());
    contents.once('destroyed', () => {
      this.#wires.delete(id);
      wire.renew();
    });
    return wire;
  }

  close(): void {
    ipcMain.removeHandler(REQUEST);
    for (const wire of this.#wires.values()) wire.renew();
  }

  async #answer(event: IpcMainInvokeEvent, request: unknown, input: unknown): Promise<Reply> {
    const wire = this.#wires.get(event.sender.id);
    if (!wire || !isTrusted(event.senderFrame, this.#options.origins)) {
      return errorReply('forbidden', 'This request does not come from a window of Gatehouse.');
    }
    return wire.answer(request, input);
  }
}
