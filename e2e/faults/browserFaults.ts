import { browser, type Fault } from './fault.ts';

const SECURITY = 'security.browser.spec.ts';

/** Of the browser host: who is let in. */
export const browserFaults: readonly Fault[] = [
  {
    name: 'any name reaches the server',
    edits: [{ file: 'main/web/gate.ts', from: 'LOOPBACK.test(headers.host)', to: `headers.host !== ''` }],
    watchers: browser(SECURITY, 'only a loopback name'),
  },
  {
    name: 'a window of any origin is connected',
    edits: [
      { file: 'main/web/gate.ts', from: 'origin === undefined || origin === originOf(asked)', to: `origin !== ''` },
    ],
    watchers: browser(SECURITY, 'of another origin'),
  },
  {
    name: 'other sites may ask',
    edits: [{ file: 'main/web/gate.ts', from: `|| site === 'none'`, to: `|| site !== ''` }],
    watchers: browser(SECURITY, 'only a loopback name'),
  },
  {
    name: 'a link lets in whoever has it',
    edits: [
      {
        file: 'main/web/tokens.ts',
        from: 'this.#waiting.filter((one) => one !== spent)',
        to: 'this.#waiting.filter((one) => one === spent)',
      },
    ],
    watchers: browser(SECURITY, 'a link lets one window in'),
  },
];
