import { dirname } from 'node:path';
import { bundleIfNeeded } from '../bundle.ts';
import type { Row } from './measure.ts';
import { measureApproval } from './window/approval.ts';
import { measureCrash } from './window/crash.ts';
import { measureFlood } from './window/flood.ts';
import { browserHost, openBrowser, standinHost, type Host } from './window/hosts.ts';
import { measureLongLog } from './window/log.ts';
import { measureStart } from './window/start.ts';

/** What a person waits for at the window, under both hosts. `minutes`: how long a command prints without end. */
export async function* measureWindow(minutes: number): AsyncGenerator<readonly Row[]> {
  const root = dirname(dirname(import.meta.dirname));
  if (!(await bundleIfNeeded(root))) throw new Error('The window cannot be built');
  const browser = await openBrowser();
  try {
    for (const host of [browserHost(browser), standinHost]) yield* measureHost(host);
    // The window is the same; what is between it and the command is not.
    yield await measureFlood(browserHost(browser), minutes);
    yield await measureFlood(standinHost, minutes);
    yield await measureCrash(standinHost);
  } finally {
    await browser.close();
  }
}

async function* measureHost(host: Host): AsyncGenerator<readonly Row[]> {
  yield await measureStart(host);
  yield await measureLongLog(host);
  yield await measureApproval(host);
}
