/** The grammars that are there; each is loaded when it is first needed. */
export const LANGUAGES = [
  'typescript',
  'tsx',
  'json',
  'shellscript',
  'python',
  'css',
  'yaml',
  'rust',
  'go',
  'diff',
] as const;
export type Language = (typeof LANGUAGES)[number];

/** What people and files call them. */
const NAMES: Readonly<Record<string, Language>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'typescript',
  mjs: 'typescript',
  cjs: 'typescript',
  javascript: 'typescript',
  jsx: 'tsx',
  jsonc: 'json',
  sh: 'shellscript',
  bash: 'shellscript',
  zsh: 'shellscript',
  shell: 'shellscript',
  console: 'shellscript',
  py: 'python',
  yml: 'yaml',
  rs: 'rust',
  golang: 'go',
  patch: 'diff',
};

export function languageNamed(name: string): Language | undefined {
  const lower = name.toLowerCase();
  return LANGUAGES.find((language) => language === lower) ?? (Object.hasOwn(NAMES, lower) ? NAMES[lower] : undefined);
}

/** By the ending of a file's name. */
export function languageOf(path: string): Language | undefined {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1];
  return ending === undefined ? undefined : languageNamed(ending);
}
