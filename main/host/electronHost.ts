import { shell } from 'electron/common';
import { app, dialog, type BrowserWindow } from 'electron/main';
import type { HostDescription, Note } from '../../app/contract/host.ts';
import type { Texts } from '../electron/text.ts';
import { describeHost } from './description.ts';
import type { ElectronNotes } from './electronNotes.ts';
import type { HostServices, Secrets } from './hostServices.ts';

export interface ElectronHostOptions {
  readonly secrets: Secrets;
  readonly notes: ElectronNotes;
  readonly texts: () => Texts;
  /** The window whose dialog it is. */
  readonly front: () => BrowserWindow | undefined;
  /** Why this host runs and not the other. */
  readonly reason: string | undefined;
}

/** What the desktop does for the core and the windows. */
export class ElectronHost implements HostServices {
  readonly description: HostDescription;
  readonly secrets: Secrets;
  readonly #options: ElectronHostOptions;

  constructor(options: ElectronHostOptions) {
    this.#options = options;
    this.secrets = options.secrets;
    const { reason } = options;
    this.description = describeHost('electron', { canPickFolder: true, ...(reason !== undefined && { reason }) });
  }

  async pickFolder(): Promise<string | undefined> {
    const { front, texts } = this.#options;
    const window = front();
    const properties: ('openDirectory' | 'createDirectory')[] = ['openDirectory', 'createDirectory'];
    const options = { title: texts().pickFolder, properties };
    const picked = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
    return picked.canceled ? undefined : picked.filePaths[0];
  }

  async openExternal(url: URL): Promise<void> {
    await shell.openExternal(url.href);
  }

  notify(note: Note): void {
    this.#options.notes.show(note);
  }

  badge(count: number): void {
    app.setBadgeCount(count);
  }
}
