/**
 * Whether a path matches a glob: `*` and `?` within a name, `[a-z]` and `[!a-z]`, `**` for any folders, `{a,b}`. A pattern
 * without a slash is matched against the name at any depth, as in `.gitignore`. Time grows with the product of both
 * lengths, whatever the pattern: it comes from a model.
 */
export interface GlobPattern {
  /** `path` is relative to the folder searched. */
  matches(path: string): boolean;
  /** Patterns of names, one of which every match satisfies; undefined where nothing simple can be said. */
  readonly names: readonly string[] | undefined;
}

/** Undefined when the pattern has too many alternatives. */
export function parseGlob(pattern: string): GlobPattern | undefined {
  const alternatives = expand(pattern);
  if (!alternatives) return undefined;
  const parsed = alternatives.map(toSegments);
  return {
    matches: (path) => {
      const names = path.split('/');
      return parsed.some((segments) => matchFolders(segments, names));
    },
    names: namesOf(parsed),
  };
}

const MOST_ALTERNATIVES = 64;

/** `a{b,c}d` → `abd`, `acd`. An unbalanced brace is a plain character. */
function expand(pattern: string): readonly string[] | undefined {
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    if (open.length + done.length > MOST_ALTERNATIVES) return undefined;
    const [next = '', ...rest] = open;
    const parts = splitBrace(next);
    if (parts) open = [...parts, ...rest];
    else {
      open = rest;
      done.push(next);
    }
  }
  return done;
}

function splitBrace(pattern: string): readonly string[] | undefined {
  // The innermost pair, so that nested ones resolve from the inside out.
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!found) return undefined;
  const [before, after] = [pattern.slice(0, found.index), pattern.slice(found.index + found[0].length)];
  return (found[1] ?? '').split(',').map((choice) => before + choice + after);
}

function toSegments(pattern: string): readonly string[] {
  const trimmed = pattern.replace(/^\.?\//, '');
  const segments = trimmed.split('/').filter((name) => name !== '');
  return pattern.includes('/') ? segments : ['**', ...segments];
}

/** Which beginnings of `names` the segments so far can stand for; `**` stands for any number of names. */
function matchFolders(segments: readonly string[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const segment of segments) {
    const next = new Set<number>();
    for (const at of reached) {
      const name = names[at];
      if (segment === '**') for (let to = at; to <= names.length; to += 1) next.add(to);
      else if (name !== undefined && matchName(segment, name)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(names.length);
}

/** The usual two pointers: on a mismatch the last star takes one character more. */
function matchName(pattern: string, name: string): boolean {
  const [tokens, letters] = [tokensOf(pattern), Array.from(name)];
  let [token, letter, star, mark] = [0, 0, -1, 0];
  while (letter < letters.length) {
    const wanted = tokens[token];
    if (wanted === '*') [star, mark, token] = [token, letter, token + 1];
    else if (wanted !== undefined && matchLetter(wanted, letters[letter] ?? ''))
      [token, letter] = [token + 1, letter + 1];
    else if (star >= 0) [token, mark, letter] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  return tokens.slice(token).every((rest) => rest === '*');
}

/** A star, a question mark, a class, an escaped letter (`\*`), or one letter. */
function tokensOf(pattern: string): readonly string[] {
  return pattern.match(/\\.|\[!?\]?[^\]]*\]|./gsu) ?? [];
}

function matchLetter(token: string, letter: string): boolean {
  if (token === '?') return true;
  if (token.length > 2 && token.startsWith('[')) return inClass(token.slice(1, -1), letter);
  return token.length > 1 && token.startsWith('\\') ? token.slice(1) === letter : token === letter;
}

function inClass(body: string, letter: string): boolean {
  const negated = body.startsWith('!') || body.startsWith('^');
  const ranges = (negated ? body.slice(1) : body).match(/.-.|./gsu) ?? [];
  const inside = ranges.some((range) => {
    const [from = '', dash, to] = Array.from(range);
    return dash !== undefined && to !== undefined ? from <= letter && letter <= to : from === letter;
  });
  return inside !== negated;
}

/** Only plain names with stars: what any glob dialect understands alike. */
function namesOf(alternatives: readonly (readonly string[])[]): readonly string[] | undefined {
  const names = alternatives.map((segments) => segments.at(-1) ?? '');
  return names.every((name) => /^[\w.*?-]+$/.test(name) && !name.includes('**')) ? names : undefined;
}
