import { dirname } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: dirname(import.meta.dirname),
  test: {
    // Journeys (`e2e/*.spec.ts`) are Playwright's.
    include: ['{app,main,preload,renderer,build,e2e,docs}/**/*.test.{ts,tsx}'],
    // Real processes are started and awaited: a fork of its own for each file, and no more of them than two cores carry.
    pool: 'forks',
    maxWorkers: 2,
    // Long enough for a busy machine: what takes time is never what is asserted.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
