import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { devNull, homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withoutOurs } from '../sandbox/descriptors.ts';

export interface Launcher {
  readonly path: string;
  /** Twice is once. */
  remove(): Promise<void>;
}

/**
 * A file in the data folder that leads a browser to `url`. Everybody on a machine may read command lines; this file only
 * its owner may, and no sandbox sees it. So the token in `url` is on no command line.
 */
export async function writeLauncher(home: string, url: string): Promise<Launcher> {
  await removeOld(home);
  const path = join(home, `launcher-${randomBytes(6).toString('hex')}.html`);
  await writeFile(path, page(url), { flag: 'wx', mode: 0o600 });
  let removing: Promise<void> | undefined;
  return { path, remove: () => (removing ??= rm(path, { force: true })) };
}

/**
 * Opens the file as a window of its own. The browser is the person's: it outlives us, so it gets none of our descriptors,
 * which may be locks. Rejects when it cannot be started.
 */
export async function openLauncher(browser: string, { path }: Launcher): Promise<void> {
  const nothing = openSync(devNull, 'r+');
  try {
    const stdio = withoutOurs<'ignore'>(['ignore', 'ignore', 'ignore'], nothing);
    const child = spawn(browser, [`--app=${pathToFileURL(path).href}`], { stdio, cwd: homedir(), detached: true });
    await once(child, 'spawn');
    // Whatever becomes of it later is between it and the person.
    child.on('error', () => undefined);
    child.unref();
  } finally {
    closeSync(nothing);
  }
}

const NAME = /^launcher-[0-9a-f]{12}\.html$/;
const OLD_MS = 3_600_000;

/** What a crash has left: its token is worth nothing any more. */
async function removeOld(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => NAME.test(name));
  for (const path of names.map((name) => join(home, name))) {
    const before = Date.now() - OLD_MS;
    // Another instance may be removing its own.
    const isOld = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < before,
      () => false,
    );
    if (isOld) await rm(path, { force: true });
  }
}

/** The link is for a browser that does not follow by itself. */
function page(url: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>Gatehouse</title>
<p><a href="${url}">Open Gatehouse</a></p>
</html>
`;
}
