import { randomBytes } from 'node:crypto';
import type { CdpConnection, CdpTarget, Protocol } from './cdp.ts';
import { mainWorldScript, POST, preloadScript, RECEIVE, WORLD } from './pageScript.ts';
import { STANDIN_PATTERN } from './schemes.ts';
import type { Incoming } from './page/preloadWorld.ts';

export interface PageOptions {
  readonly width: number;
  readonly height: number;
  readonly preload: string | undefined;
}

export interface PageListener {
  requested(request: Protocol.Fetch.requestPausedPayload): void;
  started(navigation: Protocol.Page.frameStartedNavigatingPayload): void;
  /** A document is there. `unreachable`: it is an error page. */
  committed(url: string, unreachable: boolean): void;
  movedWithin(url: string): void;
  domReady(): void;
  loaded(): void;
  opened(request: Protocol.Page.windowOpenPayload): void;
  crashed(): void;
  preloadFailed(error: Error): void;
  /** What the preload has posted, and the context to answer to. */
  posted(json: string, context: number): void;
}

/** A window's page in Chromium: a target, its main frame, and the isolated world of the preload. */
export class Page {
  readonly targetId: string;
  readonly target: CdpTarget;
  readonly #listener: PageListener;
  #frameId = '';
  #preloadContext: number | undefined;

  static async open(connection: CdpConnection, options: PageOptions, listener: PageListener): Promise<Page> {
    const { targetId } = await connection.browser.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width: options.width,
      height: options.height,
    });
    const page = new Page(targetId, await connection.attach(targetId), listener);
    await page.#prepare(options.preload);
    return page;
  }

  private constructor(targetId: string, target: CdpTarget, listener: PageListener) {
    this.targetId = targetId;
    this.target = target;
    this.#listener = listener;
    this.#listen();
  }

  get frameId(): string {
    return this.#frameId;
  }

  /** To the preload of the document that is there now, or only to that of `context`. Without one it is lost. */
  deliver(message: Incoming, context = this.#preloadContext): void {
    if (context === undefined) return;
    const expression = `${RECEIVE}(${JSON.stringify(JSON.stringify(message))})`;
    // The document may be gone by now; then nobody waits for it.
    this.target.send('Runtime.evaluate', { expression, contextId: context }).catch(() => undefined);
  }

  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.target.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  #listen(): void {
    const { target } = this;
    const heard = this.#listener;
    target.on('Fetch.requestPaused', (request) => heard.requested(request));
    target.on('Page.frameStartedNavigating', (navigation) => {
      if (navigation.frameId === this.#frameId) heard.started(navigation);
    });
    target.on('Page.frameNavigated', ({ frame }) => this.#navigated(frame));
    target.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.#frameId) heard.movedWithin(url);
    });
    target.on('Page.domContentEventFired', () => heard.domReady());
    target.on('Page.loadEventFired', () => heard.loaded());
    target.on('Page.windowOpen', (request) => heard.opened(request));
    target.on('Inspector.targetCrashed', () => heard.crashed());
    target.on('Runtime.executionContextCreated', ({ context }) => this.#contextCreated(context));
    target.on('Runtime.executionContextsCleared', () => (this.#preloadContext = undefined));
    target.on('Runtime.exceptionThrown', ({ exceptionDetails }) => this.#thrown(exceptionDetails));
    target.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === POST) heard.posted(payload, executionContextId);
    });
  }

  async #prepare(preload: string | undefined): Promise<void> {
    const { target } = this;
    const { frameTree } = await target.send('Page.getFrameTree');
    this.#frameId = frameTree.frame.id;
    await Promise.all([
      target.send('Page.enable'),
      target.send('Runtime.enable'),
      target.send('Inspector.enable'),
      target.send('Fetch.enable', {
        patterns: [{ urlPattern: '*', resourceType: 'Document' }, { urlPattern: STANDIN_PATTERN }],
      }),
      target.send('Runtime.addBinding', { name: POST, executionContextName: WORLD }),
    ]);
    if (preload !== undefined) await this.#addPreload(preload);
  }

  async #addPreload(preload: string): Promise<void> {
    const secret = randomBytes(16).toString('hex');
    try {
      const source = preloadScript({ preload, secret });
      await this.target.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldScript(secret) });
      await this.target.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD });
    } catch (fault) {
      this.#listener.preloadFailed(fault instanceof Error ? fault : new Error(String(fault)));
    }
  }

  #navigated(frame: Protocol.Page.Frame): void {
    if (frame.parentId !== undefined) return;
    this.#frameId = frame.id;
    const unreachable = frame.unreachableUrl;
    this.#listener.committed((unreachable ?? frame.url) + (frame.urlFragment ?? ''), unreachable !== undefined);
  }

  #contextCreated(context: Protocol.Runtime.ExecutionContextDescription): void {
    const { frameId } = { frameId: undefined, ...context.auxData };
    if (context.name === WORLD && frameId === this.#frameId) this.#preloadContext = context.id;
  }

  /** Nothing but the preload runs in its world before it is done. */
  #thrown(details: Protocol.Runtime.ExceptionDetails): void {
    if (details.executionContextId === undefined || details.executionContextId !== this.#preloadContext) return;
    this.#listener.preloadFailed(new Error(details.exception?.description ?? details.text));
  }
}
