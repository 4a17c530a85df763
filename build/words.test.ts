import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor, type ESTree } from 'vite';
import { describe, expect, it } from 'vitest';

// All that a person reads in the window comes from its dictionaries: a view that holds a word is not translated.
const root = dirname(import.meta.dirname);
const read = ['alt', 'aria-description', 'aria-label', 'aria-roledescription', 'label', 'placeholder', 'title'];
// Capitals alone name a thing that is called the same in every language.
const isWord = (text: string): boolean => /\p{Ll}{2}|\p{Lo}{2}/u.test(text);

function wordsIn(file: string, text: string): string[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: string[] = [];
  const take = (value: string): void => {
    if (isWord(value)) found.push(`${file}: ${value.trim()}`);
  };
  const takeChildren = ({ children }: ESTree.JSXElement | ESTree.JSXFragment): void => {
    for (const child of children) {
      if (child.type === 'JSXText') take(child.value);
      if (child.type === 'JSXExpressionContainer') textsOf(child.expression).forEach(take);
    }
  };
  new Visitor({
    JSXElement: takeChildren,
    JSXFragment: takeChildren,
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && read.includes(name.name) && value) textsOf(value).forEach(take);
    },
  }).visit(program);
  return found;
}

/** What an expression may come to, where it is written down as a text. */
function textsOf(node: ESTree.Node): string[] {
  switch (node.type) {
    case 'JSXExpressionContainer':
      return textsOf(node.expression);
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return node.quasis.map(({ value }) => value.cooked ?? '');
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'LogicalExpression':
      return [...textsOf(node.left), ...textsOf(node.right)];
    default:
      return [];
  }
}

describe('the words of the window', () => {
  const views = globSync('renderer/**/*.tsx', { cwd: root }).filter((file) => !file.includes('.test.'));

  it('are in no view', () => {
    expect(views.length).toBeGreaterThan(0);
    expect(views.flatMap((file) => wordsIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it.each([
    ['as a text', `<p>Deny</p>`],
    ['beside others', `<p>{words.deny} now</p>`],
    ['in a fragment', `<>Deny</>`],
    ['in another script', `<p>拒绝</p>`],
    ['as an expression', `<p>{'Deny'}</p>`],
    ['under a condition', `<p>{on ? words.deny : 'Deny'}</p>`],
    ['with a value', '<p>{`Deny ${id}`}</p>'],
    ['as a label', `<button aria-label="Deny" />`],
    ['as a hint', `<input placeholder={on && 'Deny'} />`],
  ])('are found %s', (_where, markup) => {
    expect(wordsIn('a.tsx', `export const A = () => ${markup};`)).toHaveLength(1);
  });

  it('are not taken for what nobody reads', () => {
    const markup = `<p className="wide" role="status" key={'row'}>{words.deny} · 12 {render('plain')}</p>`;
    expect(wordsIn('a.tsx', `export const A = () => ${markup};`)).toEqual([]);
  });
});
