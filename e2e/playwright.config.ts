import { defineConfig } from '@playwright/test';
import { hasElectron, type HostName } from './fixtures/place.ts';
import type { Options } from './fixtures/test.ts';

const onlyBrowser = /\.browser\.spec\.ts$/;
const onlyElectron = /\.standin\.spec\.ts$/;

const project = (host: HostName, testIgnore: RegExp) => ({ name: host, testIgnore, use: { host } });

/** Where the real binary has to run, its absence is a failure and not a project less. */
const required = process.env['REQUIRE_ELECTRON'] === '1';
if (required && !hasElectron()) throw new Error('REQUIRE_ELECTRON is set and the binary of Electron is not installed');

export default defineConfig<Options>({
  testDir: '.',
  // What is called `.test.ts` is vitest's, also here.
  testMatch: '**/*.spec.ts',
  outputDir: '../out/e2e',
  timeout: 90_000,
  // What is waited for comes by itself; only how long it may take depends on what else the machine does.
  expect: { timeout: 20_000 },
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  reporter: [['line']],
  projects: [
    project('browser', onlyElectron),
    project('standin', onlyBrowser),
    ...(hasElectron() ? [project('electron', onlyBrowser)] : []),
  ],
});
