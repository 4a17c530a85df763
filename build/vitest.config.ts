import { dirname } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: dirname(import.meta.dirname),
  test: {
    include: ['{app,main,build,docs}/**/*.test.ts'],
    // Real processes are started and awaited: a fork of its own for each file, and no more of them than two cores carry.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
