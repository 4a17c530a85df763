import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore, type ThemedToken } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import type { LanguageRegistration } from 'shiki/core';
import type { Language } from '../../../transcript/languages.ts';

/** A part of a code in one colour; `kind` is the end of a class name. Without one: the colour of the text. */
export interface Stretch {
  readonly text: string;
  readonly kind: string | undefined;
}

/** More parts than this are not drawn each for itself. */
const MOST = 1_200;
/** Work is given back to the window after so long. */
const SLICE_MS = 12;
/** A line that takes longer keeps the colour it has so far. */
const LINE_MS = 40;

/** The colours of a code, a few lines at a time. Undefined when there are none, or nobody waits for them any more. */
export async function highlight(
  code: string,
  language: Language,
  signal: AbortSignal,
): Promise<readonly Stretch[] | undefined> {
  const highlighter = await loaded(language, signal);
  if (!highlighter || signal.aborted) return undefined;
  const stretches: Stretch[] = [];
  let state: ReturnType<HighlighterCore['getLastGrammarState']> | undefined;
  let since = performance.now();
  for (const [index, line] of code.split('\n').entries()) {
    const options = { lang: language, theme: THEME, tokenizeTimeLimit: LINE_MS, tokenizeMaxLineLength: 1_000 };
    const tokens = highlighter.codeToTokensBase(line, { ...options, ...(state && { grammarState: state }) });
    state = highlighter.getLastGrammarState(tokens) ?? state;
    if (index > 0) add(stretches, '\n', undefined);
    for (const token of tokens.flat()) add(stretches, token.content, kindOf(token));
    if (stretches.length > MOST) return undefined;
    if (performance.now() - since < SLICE_MS) continue;
    await breath();
    if (signal.aborted) return undefined;
    since = performance.now();
  }
  return stretches;
}

const THEME = 'gatehouse';
const PREFIX = '--code-';
const theme = createCssVariablesTheme({ name: THEME, variablePrefix: PREFIX });

/** `var(--code-token-keyword)` is the class `t-code-keyword`: the content policy allows no colours in attributes. */
function kindOf({ color }: ThemedToken): string | undefined {
  return /^var\(--code-token-([a-z-]+)\)$/.exec(color ?? '')?.[1];
}

function add(stretches: Stretch[], text: string, kind: string | undefined): void {
  const last = stretches.at(-1);
  // A blank has no colour of its own.
  const isSame = last?.kind === kind || (last !== undefined && text.trim() === '');
  if (isSame && last) stretches[stretches.length - 1] = { text: last.text + text, kind: last.kind };
  else stretches.push({ text, kind });
}

const engine = createJavaScriptRegexEngine({ forgiving: true });
let core: Promise<HighlighterCore> | undefined;
const ready = new Map<Language, Promise<void>>();

async function loaded(language: Language, signal: AbortSignal): Promise<HighlighterCore | undefined> {
  core ??= createHighlighterCore({ themes: [theme], langs: [], engine });
  const highlighter = await core;
  const loading = ready.get(language) ?? load(highlighter, language);
  ready.set(language, loading);
  await loading;
  return signal.aborted ? undefined : highlighter;
}

async function load(highlighter: HighlighterCore, language: Language): Promise<void> {
  const { default: grammars } = await GRAMMARS[language]();
  await highlighter.loadLanguage(grammars);
  await warm(grammars);
}

/**
 * The engine makes a pattern when it first needs it, and a single line of code may need hundreds: they are made
 * beforehand, a few at a time.
 */
async function warm(grammars: readonly LanguageRegistration[]): Promise<void> {
  let since = performance.now();
  for (const pattern of patternsIn(grammars)) {
    if (performance.now() - since >= SLICE_MS) {
      await breath();
      since = performance.now();
    }
    engine.createScanner([pattern]).findNextMatchSync('const', 0, 0);
  }
}

function patternsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== 'string') patternsIn(member, found);
    else if (key === 'match' || key === 'begin' || key === 'end' || key === 'while') found.add(member);
  }
  return found;
}

/** Lets the window draw and hear before more is done. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

type Grammar = () => Promise<{ readonly default: LanguageRegistration[] }>;

const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  typescript: () => import('shiki/langs/typescript.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  shellscript: () => import('shiki/langs/shellscript.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
};
