import { messageOf } from '../../app/base/fault.ts';
import { after } from '../base/after.ts';
import type { Outlet } from '../outlet.ts';
import { advice, originFor } from './announce.ts';
import { findBrowser, windowless, type Desk } from './browsers.ts';
import { openLauncher, writeLauncher, type Launcher } from './launcher.ts';
import type { WebServer } from './server.ts';

export interface OpeningOptions {
  readonly server: Pick<WebServer, 'address' | 'link'>;
  /** The data folder. */
  readonly home: string;
  readonly desk: Desk;
  /** Whether a window is opened here where that can be done. */
  readonly open: boolean;
  /** Links, one a line. */
  readonly links: Outlet;
  /** What a person is told beside. */
  readonly told: Outlet;
  /** How long a browser may take to come. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 20_000;

/** How the first window comes to be: opened here by an installed browser, or by a person who is given a link. */
export class Opening {
  readonly #options: OpeningOptions;
  #launcher: Launcher | undefined;
  #giveUp: () => void = () => undefined;

  constructor(options: OpeningOptions) {
    this.#options = options;
  }

  /** Resolves when the window is on its way, or the link is printed. */
  async begin(): Promise<void> {
    const why = await this.#open();
    if (why !== undefined) await this.offer(why);
  }

  /** A window is in: what led it here is of no use any more. */
  entered(): Promise<void> {
    this.#giveUp();
    return this.#launcher?.remove() ?? Promise.resolve();
  }

  /** Prints a link, with what it takes to use it. */
  async offer(why: string): Promise<void> {
    const { server, told } = this.#options;
    for (const line of advice(server.address, why)) await told.send(line);
    await this.printLink();
  }

  /** Another link for another window. */
  async printLink(): Promise<void> {
    await this.#options.links.send(this.#link());
  }

  /** Nothing of it is left. */
  close(): Promise<void> {
    return this.entered();
  }

  /** Why no window could be opened; undefined when one is on its way. */
  async #open(): Promise<string | undefined> {
    const { desk, open, server, home, links } = this.#options;
    if (!open) return 'it was not wanted';
    if (server.address.kind === 'socket') return 'no browser connects to a socket file';
    const unable = windowless(desk);
    if (unable !== undefined) return unable;
    const browser = await findBrowser(desk);
    if (browser === undefined) return 'no Chromium or Chrome is installed';
    this.#launcher = await writeLauncher(home, this.#link());
    try {
      await openLauncher(browser, this.#launcher);
    } catch (fault) {
      return `${browser} could not be started (${messageOf(fault)})`;
    }
    await links.send(originFor(server.address));
    this.#giveUp = after(this.#options.patienceMs ?? PATIENCE_MS, () => void this.offer(`${browser} has not come`));
    return undefined;
  }

  #link(): string {
    const { server } = this.#options;
    return server.link(originFor(server.address));
  }
}
