import type { WebFrameMain } from 'electron/main';
import type { Protocol } from './cdp.ts';
import type { NavigationDetails } from './api/events.ts';
import type { Schemes } from './api/protocol.ts';
import type { Page } from './page.ts';
import { toApp, withoutHash } from './schemes.ts';

type Paused = Protocol.Fetch.requestPausedPayload;
type Question = 'will-navigate' | 'will-redirect' | 'did-start-navigation';

export interface NavigationsOptions {
  readonly schemes: Schemes;
  readonly page: Page;
  readonly frame: () => WebFrameMain;
  /** False: the app has prevented it. */
  readonly ask: (question: Question, details: NavigationDetails) => boolean;
}

/**
 * Every request of a page that could leave it, before it goes out: documents, and whatever has the app's own scheme.
 * Here the app is asked about navigations, and its protocol handlers answer.
 */
export class Navigations {
  readonly #options: NavigationsOptions;
  /** What the app itself is loading: it is not asked about that. */
  #expected: string | undefined;
  #isRepeat = false;

  constructor(options: NavigationsOptions) {
    this.#options = options;
  }

  expect(url: string): void {
    this.#expected = withoutHash(url);
  }

  arrived(): void {
    this.#expected = undefined;
    this.#isRepeat = false;
  }

  started({ url, navigationType }: Protocol.Page.frameStartedNavigatingPayload): void {
    // A reload, or a step in the history: no page has asked for it by its address.
    this.#isRepeat = /^(reload|history|restore)/.test(navigationType);
    const isSameDocument = /sameDocument$/i.test(navigationType);
    // Chromium answers these itself, so no request will come to be asked about.
    if (isSameDocument || !/^https?:/.test(url)) this.#ask('did-start-navigation', toApp(url), isSameDocument);
  }

  async requested(request: Paused): Promise<void> {
    const { page } = this.#options;
    const isDocument = request.resourceType === 'Document' && request.frameId === page.frameId;
    try {
      if (isDocument && !this.#isAllowed(request)) await this.#fail(request, 'Aborted');
      else await this.#answer(request);
    } catch (fault) {
      // A page that is closing takes its requests with it.
      if (!/Invalid InterceptionId|gone|closed|not found/i.test(String(fault))) console.error(fault);
    }
  }

  #isAllowed(request: Paused): boolean {
    const url = toApp(request.request.url);
    if (request.redirectedRequestId !== undefined) return this.#ask('will-redirect', url);
    const isAsked = !this.#isRepeat && this.#expected !== withoutHash(url);
    if (isAsked && !this.#ask('will-navigate', url)) return false;
    this.#ask('did-start-navigation', url);
    return true;
  }

  #ask(question: Question, url: string, isSameDocument = false): boolean {
    const { ask, frame } = this.#options;
    return ask(question, { url, isSameDocument, isMainFrame: true, frame: frame() });
  }

  async #answer(paused: Paused): Promise<void> {
    const { page, schemes } = this.#options;
    const { requestId, request } = paused;
    const url = toApp(request.url);
    if (url === request.url) {
      await page.target.send('Fetch.continueRequest', { requestId });
      return;
    }
    const handler = schemes.handlers.get(url.slice(0, url.indexOf(':')));
    if (!handler) return this.#fail(paused, 'Failed');
    const { method, headers, postData } = request;
    const answer = await respond(() => handler(new Request(url, { method, headers, body: postData ?? null })));
    if (!answer) return this.#fail(paused, 'Failed');
    await page.target.send('Fetch.fulfillRequest', { requestId, ...answer });
  }

  async #fail({ requestId }: Paused, errorReason: Protocol.Network.ErrorReason): Promise<void> {
    await this.#options.page.target.send('Fetch.failRequest', { requestId, errorReason });
  }
}

type Answer = Omit<Protocol.Fetch.fulfillRequestParameters, 'requestId'>;

/** Undefined: the handler failed, which the page sees as a network error. */
async function respond(handle: () => Response | Promise<Response>): Promise<Answer | undefined> {
  try {
    const response = await handle();
    return {
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    };
  } catch (fault) {
    console.error(fault);
    return undefined;
  }
}
