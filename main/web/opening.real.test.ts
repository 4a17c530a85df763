import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Outlet } from '../outlet.ts';
import { identityOf, signalTo } from '../process/identity.ts';
import { processTable } from '../process/tree.ts';
import { until } from '../process/until.ts';
import { Opening, type OpeningOptions } from './opening.ts';
import { SOON, startServer, tokenOf } from './server.fixture.ts';

interface World {
  /** What the program called `chromium` does; without it none is installed. */
  readonly browser?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly more?: Partial<OpeningOptions>;
}

/** Writes down what it is given and what it has, and stays. */
const STAYS = '#!/bin/sh\nexec 3>"$0.record"; ls -l /proc/$$/fd >&3; echo "$$ $*" >&3; exec 3>&-; exec sleep 60\n';

/** A machine with a display, an ordinary user and a real server. */
async function prepare({ browser, env = { DISPLAY: ':0' }, more = {} }: World) {
  const server = await startServer();
  const [home, bin] = [join(server.folder, 'home'), join(server.folder, 'bin')];
  await Promise.all([mkdir(home), mkdir(bin)]);
  const path = join(bin, 'chromium');
  if (browser !== undefined) await writeFile(path, browser);
  if (browser !== undefined) await chmod(path, 0o755);
  const { web } = server;
  if (!web) throw new Error('The server has not started');
  const [links, told] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })];
  const desk = { platform: 'linux', env: { ...env, PATH: bin }, uid: 1000 } as const;
  const outlets = { links: new Outlet(links), told: new Outlet(told) };
  const opening = new Opening({ server: web, home, desk, open: true, ...outlets, ...more });
  onTestFinished(() => opening.close());
  return { server, home, path, opening, links, told };
}

/** What the browser at `path` wrote down, once it has. It is ended with the test. */
async function recordOf(path: string) {
  const read = () => readFile(`${path}.record`, 'utf8').catch(() => '');
  await until(async () => /^\d+ .*\n$/m.test(await read()), 10_000);
  const lines = (await read()).trimEnd().split('\n');
  const [pid = '', ...argv] = (lines.at(-1) ?? '').split(' ');
  const browser = identityOf(Number(pid));
  onTestFinished(() => browser && signalTo(browser, 'SIGKILL'));
  const descriptors = lines.flatMap((line) => / -> (.*)$/.exec(line)?.[1] ?? []);
  return { pid, argv, descriptors };
}

function commandLines(): readonly string[] {
  return Array.from(processTable().keys(), (pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return ''; // It has ended.
    }
  });
}

describe('a window', () => {
  it('is opened through a file that only its owner reads, and the token is on no command line', async () => {
    const { server, home, path, opening, links } = await prepare({ browser: STAYS });
    await opening.begin();
    const { argv } = await recordOf(path);
    const [name = ''] = await readdir(home);
    expect(argv).toEqual([`--app=file://${join(home, name)}`]);
    expect((await stat(join(home, name))).mode & 0o777).toBe(0o600);
    const url = /content="0; url=(http:[^"]+)"/.exec(await readFile(join(home, name), 'utf8'))?.[1];
    expect(url).toMatch(new RegExp(`^${server.origin}/#token=[\\w-]{43}$`));
    const token = tokenOf(url);
    expect(commandLines().some((line) => line.includes('sleep'))).toBe(true);
    expect(commandLines().filter((line) => line.includes(token))).toEqual([]);
    expect(links.read()).toBe(`${server.origin}\n`);
    await server.window(token);
    await opening.entered();
    expect(await readdir(home)).toEqual([]);
  });

  it('that was never opened leaves no file behind', async () => {
    const { home, path, opening } = await prepare({ browser: STAYS });
    await opening.begin();
    await recordOf(path);
    expect(await readdir(home)).toHaveLength(1);
    await opening.close();
    expect(await readdir(home)).toEqual([]);
  });

  it('gets none of our descriptors, and outlives us', async () => {
    const { server, path } = await prepare({ browser: STAYS });
    const file = await open(join(server.folder, 'lock'), 'w');
    onTestFinished(() => file.close());
    const launcher = join(import.meta.dirname, 'launcher.ts');
    const script = `import { openLauncher } from '${launcher}'; await openLauncher('${path}', { path: '/x.html' });`;
    // What a process was given when it was started it passes on; Node itself takes care of the lowest ones only.
    const given = [...Array<'ignore'>(40).fill('ignore'), file.fd];
    const us = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: given });
    expect(await once(us, 'exit')).toEqual([0, null]);
    const { pid, descriptors } = await recordOf(path);
    const own = [`${path}.record`, path];
    expect(descriptors.filter((to) => to !== '/dev/null' && !own.includes(to))).toEqual([]);
    expect(identityOf(Number(pid))).toBeDefined();
  });

  it('that does not come is replaced by a link', async () => {
    const { server, path, opening, links, told } = await prepare({ browser: STAYS, more: { patienceMs: 10 } });
    await opening.begin();
    await recordOf(path);
    const lines = () => String(links.read() ?? '');
    let printed = '';
    await expect.poll(() => (printed += lines()), SOON).toMatch(/#token=/);
    const [address, link] = printed.trimEnd().split('\n');
    expect(address).toBe(server.origin);
    expect(String(told.read())).toContain(`No window was opened: ${path} has not come.\n`);
    await server.window(tokenOf(link));
  });
});

describe('where no window can be opened, a link is printed with the reason', () => {
  it.each([
    ['it was not wanted', { browser: STAYS, more: { open: false } }],
    ['there is no display', { browser: STAYS, env: {} }],
    ['no Chromium or Chrome is installed', {}],
    ['.*/chromium could not be started \\(.*ENOENT.*\\)', { browser: '#!/nowhere/interpreter\n' }],
  ])('%s', async (why, world) => {
    const { server, opening, links, told } = await prepare(world);
    await opening.begin();
    const printed = String(links.read());
    expect(printed).toMatch(new RegExp(`^${server.origin}/#token=[\\w-]{43}\n$`));
    expect(String(told.read())).toMatch(new RegExp(`^No window was opened: ${why}\\.\n`));
    await server.window(tokenOf(printed));
  });

  it('also for root, whose browser would have no sandbox of its own', async () => {
    const desk = { platform: 'linux', env: { DISPLAY: ':0', PATH: '/usr/bin' }, uid: 0 } as const;
    const { opening, told } = await prepare({ browser: STAYS, more: { desk } });
    await opening.begin();
    expect(String(told.read())).toContain('No window was opened: a browser should not be run as root.\n');
  });
});

it('a launcher file that a crash left long ago is removed, and a young one, of another instance, is not', async () => {
  const { home, path, opening } = await prepare({ browser: STAYS });
  const names = {
    old: 'launcher-0123456789ab.html',
    young: 'launcher-ba9876543210.html',
    other: 'launcher-notes.html',
  };
  for (const name of Object.values(names)) await writeFile(join(home, name), '');
  for (const name of [names.old, names.other]) await utimes(join(home, name), new Date(0), new Date(0));
  await opening.begin();
  await recordOf(path);
  await opening.close();
  expect((await readdir(home)).toSorted()).toEqual([names.young, names.other]);
});
