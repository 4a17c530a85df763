import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Emitter } from '../../app/base/emitter.ts';
import type { Push } from '../../app/contract/pushes.ts';
import { after } from '../base/after.ts';
import { logFault } from '../base/logFault.ts';
import type { Core, PushSource } from '../coreShape.ts';
import { createHandlers } from '../handlers.ts';
import type { HostServices } from '../host/hostServices.ts';
import { startNotifier } from '../host/notifier.ts';
import { Outlet } from '../outlet.ts';
import { paced } from '../paced.ts';
import { Windows, type WindowConnection } from '../windows.ts';
import { closingLines, greeting } from './announce.ts';
import { checkAssets } from './assetsRoot.ts';
import { browserHost } from './browserHost.ts';
import type { Desk } from './browsers.ts';
import { bubblewrapMissing } from './bubblewrap.ts';
import type { Limits } from './limits.ts';
import type { Address } from './listen.ts';
import { Opening } from './opening.ts';
import { startWebServer, type WebServer } from './server.ts';

export interface ServeOptions {
  readonly openCore: () => Promise<Core>;
  /** The folder of the built window. */
  readonly assets: string;
  readonly address: Address;
  /** Whether a window is opened here where that can be done; else the link is printed. */
  readonly open: boolean;
  /** Why this host runs, where there was a choice. */
  readonly reason?: string | undefined;
  readonly desk: Desk;
  /** Gets links, one a line. */
  readonly stdout: Writable;
  /** Gets everything else that a person is told. */
  readonly stderr: Writable;
  /** Where `SIGUSR2` comes from, with which a person asks for another link. */
  readonly signals: NodeJS.EventEmitter;
  readonly limits?: Partial<Limits>;
}

/**
 * The browser host: the core, and windows in the browsers of this machine (hosts.md). Runs until `signal`; resolves when
 * everything is closed. Throws a RequestError when it cannot start.
 */
export async function serve(options: ServeOptions, signal: AbortSignal): Promise<void> {
  await checkAssets(options.assets);
  const serving = new Serving(await options.openCore(), options);
  try {
    await serving.start();
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await serving.close();
  }
}

class Serving {
  readonly #core: Core;
  readonly #options: ServeOptions;
  readonly #host: HostServices;
  readonly #windows: Windows;
  readonly #links: Outlet;
  readonly #told: Outlet;
  readonly #stops: (() => void)[] = [];
  #server: WebServer | undefined;
  #opening: Opening | undefined;
  #names = 0;

  constructor(core: Core, options: ServeOptions) {
    this.#core = core;
    this.#options = options;
    this.#links = new Outlet(options.stdout);
    this.#told = new Outlet(options.stderr);
    const notes = new Emitter<Push>(this.#onFault);
    this.#host = browserHost({
      home: core.home,
      reason: options.reason,
      tellOne: (note) => void this.#windows.tellOne(note),
      tellAll: (note) => notes.emit(note),
    });
    const source = withNotes(paced(core, { after }), notes);
    const handlers = createHandlers(core, this.#host);
    this.#windows = new Windows({ core, source, handlers, onFault: this.#onFault });
  }

  async start(): Promise<void> {
    const { assets, address, desk, open, limits, signals, reason } = this.#options;
    const enter = this.#enter.bind(this);
    const server = await startWebServer({ assets, address, enter, onFault: this.#onFault, ...(limits && { limits }) });
    this.#server = server;
    this.#stops.push(startNotifier(this.#core, this.#host));
    const { version } = this.#host.description;
    await this.#tell(greeting({ version, reason, missing: await bubblewrapMissing(desk) }));
    const { home } = this.#core;
    const opening = new Opening({ server, home, desk, open, links: this.#links, told: this.#told });
    this.#opening = opening;
    const canSignal = desk.platform !== 'win32';
    // Before the first link is out: whoever reads it may ask for another at once.
    if (canSignal) this.#stops.push(onAnotherLink(signals, () => void opening.printLink()));
    await opening.begin();
    await this.#tell(closingLines(process.pid, canSignal));
  }

  /** The core before the windows: it settles whatever they still wait for, so that they can be told. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#windows.beginClosing();
    try {
      await this.#core.close();
    } finally {
      await this.#server?.close();
      await this.#opening?.close();
    }
  }

  #enter(deliver: (json: string) => Promise<void>): WindowConnection {
    this.#names += 1;
    void this.#opening?.entered().catch(this.#onFault);
    return this.#windows.connect(`browser-${this.#names}`, deliver);
  }

  async #tell(lines: readonly string[]): Promise<void> {
    for (const line of lines) await this.#told.send(line);
  }

  readonly #onFault = (fault: unknown): void => logFault(this.#options.stderr, fault);
}

function onAnotherLink(signals: NodeJS.EventEmitter, wanted: () => void): () => void {
  signals.on('SIGUSR2', wanted);
  return () => signals.removeListener('SIGUSR2', wanted);
}

/** Notes for every window come beside what the core has to say. */
function withNotes(source: PushSource, notes: Emitter<Push>): PushSource {
  return {
    readEvents: (...at) => source.readEvents(...at),
    onPush: (listener) => {
      const stops = [source.onPush(listener), notes.listen(listener)];
      return () => stops.forEach((stop) => stop());
    },
  };
}
