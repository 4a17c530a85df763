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

/** Everything that is neither relative nor exactly `zod`, spelled without look-ahead, which the linter does not know. */
const notSelfNorZod = '^([^.z]|z$|z[^o]|zo$|zo[^d]|zod.)';

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
      files: ['**/*.ts'],
      rules: {
        'no-restricted-imports': ['error', { paths: [{ name: 'zod', message: 'Schemas live in app/.' }] }],
      },
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
      files: at('renderer/**/*.{ts,tsx}'),
      rules: {
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
                ],
                allowTypeImports: true,
                message: 'The window takes types from app, and values only from session/view, base and contract/reply.',
              },
              { group: ['electron', 'node:*', '**/main/**'], message: 'The window knows no host.' },
            ],
          },
        ],
      },
    },
    { files: at('main/cli.ts'), rules: { 'no-restricted-properties': 'off' } },
    { files: ['**/*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['**/*.{test,contract,fixture}.ts', ...at('docs/**/*.ts')],
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
  ],
});
