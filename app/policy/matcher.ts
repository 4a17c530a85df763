/**
 * Why this text may not be a matcher; undefined when it may. It comes with a workspace, so whoever wrote it may mean ill: an
 * expression is matched by trying, and what could be tried in very many ways would hold up everything. What is left after
 * these limits is tried in a few thousand ways for a name of a tool.
 */
export function matcherFault(text: string): string | undefined {
  // `*` alone is no expression, and stands for every tool.
  if (text === '*' || isNames(text)) return undefined;
  if (text.length > LONGEST) return `must not be longer than ${LONGEST} characters`;
  if (!isExpression(text)) return 'must be a regular expression';
  const shape = shapeOf(text);
  if (shape.repeatsGroup) return 'must not repeat a group: no `*`, `+`, `?` or `{` behind `)`';
  const isFast = shape.ways * WAYS_PER_REPEAT ** shape.repeats <= MOST_WAYS;
  return isFast ? undefined : 'must have fewer `*`, `+`, `?` and `{`, or fewer alternatives in its groups';
}

/** Names with `|` between them, which are compared and not tried. */
export function isNames(matcher: string): boolean {
  return /^[\w|]+$/.test(matcher);
}

const LONGEST = 200;
/** Each may end at any character of a name. */
const WAYS_PER_REPEAT = 12;
/** Four of them alone, or two and a hundred combinations. */
const MOST_WAYS = 25_000;

function isExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

interface Shape {
  readonly repeatsGroup: boolean;
  readonly repeats: number;
  /** How many combinations the alternatives of all groups have. */
  readonly ways: number;
}

/** Of an expression that is one. Outside of classes and escapes every sign is what it looks like. */
function shapeOf(text: string): Shape {
  const signs = text.replace(/\\.|\[(?:[^\]\\]|\\.)*\]/gs, 'x').replace(/\(\?/g, '(');
  const alternatives: number[] = [];
  let ways = 1;
  for (const sign of signs) {
    if (sign === '(') alternatives.push(1);
    else if (sign === '|' && alternatives.length > 0) alternatives.push((alternatives.pop() ?? 0) + 1);
    else if (sign === ')') ways *= alternatives.pop() ?? 1;
  }
  return { repeatsGroup: /\)[*+?{]/.test(signs), repeats: signs.match(/[*+?{]/g)?.length ?? 0, ways };
}
