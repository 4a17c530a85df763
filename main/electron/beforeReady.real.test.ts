import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Protocol } from 'electron/main';
import { expect, it, onTestFinished } from 'vitest';
import { beforeReady } from './beforeReady.ts';
import { placesOf } from './places.ts';

async function fresh(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ready-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function begin(home: string, switches: readonly string[] = []): readonly string[] {
  const said: string[] = [];
  const app = {
    setName: () => undefined,
    setAppUserModelId: () => undefined,
    commandLine: { hasSwitch: (name: string) => switches.includes(name) },
    setPath: (name: string, path: string) => void said.push(`${name} ${path}`),
    enableSandbox: () => void said.push('sandbox'),
  };
  const protocol = { registerSchemesAsPrivileged: (schemes: object) => void said.push(JSON.stringify(schemes)) };
  // What is used of them is here.
  beforeReady(
    app as unknown as App,
    protocol as unknown as Protocol,
    placesOf('/out', { GATEHOUSE_HOME: home }, 'linux'),
  );
  return said;
}

const SCHEME =
  '[{"scheme":"app","privileges":{"standard":true,"secure":true,"supportFetchAPI":true,"codeCache":true}}]';

it("keeps Chromium's data below our own, for the owner alone", async () => {
  const home = join(await fresh(), 'a', 'home');
  expect(begin(home)).toEqual([`userData ${home}/electron`, SCHEME, 'sandbox']);
  expect((await stat(join(home, 'electron'))).mode & 0o777).toBe(0o700);
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  expect(begin(home)).toEqual([`userData ${home}/electron`, SCHEME, 'sandbox']);
});

it('leaves it where the command line says', async () => {
  expect(begin(await fresh(), ['user-data-dir'])).toEqual([SCHEME, 'sandbox']);
});

it('goes on when the folder cannot be made: the core tells why', async () => {
  const file = join(await fresh(), 'file');
  await writeFile(file, '');
  expect(begin(file)).toEqual([SCHEME, 'sandbox']);
  expect(begin('/proc/nowhere/below')).toEqual([SCHEME, 'sandbox']);
});
