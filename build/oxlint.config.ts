import { dirname, sep } from 'node:path';
import { defineConfig } from 'oxlint';

// The linter matches files outside this folder by their whole path, so a pattern for a top folder starts with the root.
// A leading `**/` would not do: it would also match a folder `main` or `app` that merely contains the repository.
const root = dirname(import.meta.dirname)
  .split(sep)
  .join('/')
  .replaceAll(/[[\]{}()*?!\\]/g, '\\$&');
const at = (...patterns: string[]): string[] => patterns.map((pattern) => `${root}/${pattern}`);

const noSkip = ['it', 'test', 'describe'].flatMap((object) =>
  ['skipIf', 'runIf'].map((property) => ({ object, property, message: 'A test that cannot run is a failure.' })),
);
const noMock = ['mock', 'doMock'].map((property) => ({
  object: 'vi',
  property,
  message: 'A parameter is missing: pass a fake instead.',
}));
const noExit = {
  object: 'process',
  property: 'exit',
  message: 'Only main/cli.ts ends the process; elsewhere return, throw, or set process.exitCode.',
};
/** Also of `test.describe`, so without an object. */
const noPart = ['only', 'skip', 'fixme', 'fail'].map((property) => ({
  property,
  message: 'A journey runs whole, always, and passes.',
}));
const noSleep = {
  property: 'waitForTimeout',
  message: 'Wait for what is to happen: an event, or a retrying assertion.',
};

/** Everything that is neither relative nor exactly `zod`, spelled without look-ahead, which the linter does not know. */
const notSelfNorZod = '^([^.z]|z$|z[^o]|zo$|zo[^d]|zod.)';

const noSchemas = { name: 'zod', message: 'Schemas live in app/.' };
const noElectron = { regex: '^electron(/|$)', message: 'Only the Electron host and preload know Electron.' };
const raw = (channel: string, allowed: string): { name: string; importNames: string[]; message: string }[] =>
  ['electron', 'electron/main', 'electron/renderer', 'electron/common'].map((name) => ({
    name,
    importNames: [channel],
    message: `There is one door: raw ${channel} is only for ${allowed}.`,
  }));
const noRawMain = raw('ipcMain', 'main/ipc.ts');
const noRawRenderer = raw('ipcRenderer', 'preload/');

const react = Object.fromEntries(
  [
    'exhaustive-deps',
    'immutability',
    'jsx-key',
    'jsx-no-duplicate-props',
    'jsx-no-undef',
    'no-children-prop',
    'no-danger',
    'no-direct-mutation-state',
    'no-unknown-property',
    'no-unstable-nested-components',
    'purity',
    'refs',
    'rules-of-hooks',
    'set-state-in-effect',
    'set-state-in-render',
    'static-components',
    'void-dom-elements-no-children',
  ].map((rule) => [`react/${rule}`, 'error'] as const),
);

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'vitest', 'promise', 'node'],
  categories: { correctness: 'error' },
  rules: {
    eqeqeq: 'error',
    'no-var': 'error',
    'no-empty': 'error',
    'prefer-const': 'error',
    'max-lines': ['error', { max: 300 }],
    'max-lines-per-function': ['error', { max: 60 }],
    'max-params': ['error', { max: 4 }],
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/only-throw-error': 'error',
    // A written `default` counts: a fold takes the events it knows, and where all must be named it calls assertNever.
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'no-restricted-properties': ['error', noExit],
  },
  // Order matters: a later block replaces a rule of an earlier one whole.
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: { 'no-restricted-imports': ['error', { paths: [noSchemas], patterns: [noElectron] }] },
    },
    {
      files: at('app/**/*.ts'),
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: [{ regex: notSelfNorZod, message: 'app/ knows no host: it imports itself and zod.' }] },
        ],
      },
    },
    {
      files: at('main/{main,ipc}.ts', 'main/electron/**/*.ts', 'main/host/electron*.ts'),
      rules: { 'no-restricted-imports': ['error', { paths: [noSchemas, ...noRawMain, ...noRawRenderer] }] },
    },
    {
      files: at('main/ipc.ts'),
      rules: { 'no-restricted-imports': ['error', { paths: [noSchemas, ...noRawRenderer] }] },
    },
    {
      files: at('preload/**/*.ts'),
      rules: { 'no-restricted-imports': ['error', { paths: [noSchemas, ...noRawMain] }] },
    },
    {
      files: at('renderer/**/*.{ts,tsx}'),
      plugins: ['react'],
      rules: {
        ...react,
        'no-restricted-imports': [
          'error',
          {
            paths: [{ name: 'zod', message: 'Schemas stay out of the window.' }],
            patterns: [
              {
                group: [
                  '**/app/**',
                  '!**/app/session/view.ts',
                  '!**/app/session/view/**',
                  '!**/app/base/**',
                  '!**/app/contract/reply.ts',
                  '!**/app/policy/presetTable.ts',
                ],
                allowTypeImports: true,
                message: 'The window takes types from app, and values only from session/view, base and contract/reply.',
              },
              { group: ['electron', 'electron/*', 'node:*', '**/main/**'], message: 'The window knows no host.' },
            ],
          },
        ],
      },
    },
    { files: at('e2e/**/*.ts'), rules: { 'no-restricted-properties': ['error', noExit, noSleep] } },
    { files: at('main/cli.ts', 'e2e/standin/**/*.ts'), rules: { 'no-restricted-properties': 'off' } },
    // Plain scripts belong to no project, so what their types come to depends on which of them are read together.
    { files: ['**/*.cjs'], rules: { 'typescript/unbound-method': 'off' } },
    { files: ['**/*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['**/*.{test,contract,fixture}.{ts,tsx}', ...at('docs/**/*.ts')],
      rules: {
        'max-lines': 'off',
        'max-lines-per-function': 'off',
        'no-restricted-imports': 'off',
        'no-restricted-properties': ['error', noExit, ...noMock, ...noSkip],
        'vitest/no-focused-tests': 'error',
        'vitest/no-disabled-tests': 'error',
        'vitest/valid-expect': ['error', { maxArgs: 2 }],
        'vitest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'assert*', 'fc.assert'] }],
      },
    },
    {
      files: at('e2e/**/*.spec.ts'),
      rules: {
        'max-lines': 'off',
        'max-lines-per-function': 'off',
        'no-restricted-properties': ['error', noExit, noSleep, ...noPart],
      },
    },
    // What drives the product may know all of it.
    { files: at('e2e/**/*.ts'), rules: { 'no-restricted-imports': 'off' } },
  ],
});
