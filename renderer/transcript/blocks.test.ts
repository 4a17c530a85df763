import { describe, expect, it } from 'vitest';
import { blocksOf } from './blocks.ts';

const paragraph = (word: string): string => `${word} `.repeat(300).trim();

describe('the parts of an answer', () => {
  it('are one for a short answer', () => {
    expect(blocksOf('One.\n\nTwo.')).toEqual([{ kind: 'markdown', text: 'One.\n\nTwo.' }]);
  });

  it('are cut between paragraphs, and give the whole when put together', () => {
    const text = ['one', 'two', 'three'].map(paragraph).join('\n\n');
    const blocks = blocksOf(text);
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.map((block) => block.text).join('\n')).toBe(text);
  });

  it('never cut code between fences, a list or a table', () => {
    const fence = `${paragraph('x')}\n\n\`\`\`ts\n${'a line\n\nof code\n'.repeat(40)}\`\`\`\n`;
    expect(blocksOf(fence)).toHaveLength(1);
    const list = `- ${paragraph('x')} ${paragraph('y')} ${paragraph('z')}\n\n  more of it\n\n- next\n\n1. numbered\n\n| a | b |`;
    expect(blocksOf(list)).toHaveLength(1);
  });

  it('cut a list that never ends, and name the columns of a table again', () => {
    const items = blocksOf('- an item\n'.repeat(1_000));
    expect(items.every(({ text }) => text.split('\n').length <= 150)).toBe(true);
    expect(blocksOf(`- ${paragraph('x')}\n`.repeat(40)).every(({ text }) => text.length < 5_000)).toBe(true);
    const rows = blocksOf(`| a | b |\n| --- | --- |\n${'| x | y |\n'.repeat(1_000)}`);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.every(({ text }) => text.startsWith('| a | b |\n| --- | --- |\n| x | y |'))).toBe(true);
  });

  it('name no columns where the table is over', () => {
    const text = `| a |\n| - |\n| x |\n\n${'- an item\n'.repeat(500)}| no table`;
    expect(
      blocksOf(text)
        .slice(1)
        .every((block) => block.text.startsWith('- an item')),
    ).toBe(true);
  });

  it('end a fence only with its own mark', () => {
    const text = `\`\`\`\`\n${'a line of code in it\n'.repeat(100)}\n\n\`\`\`\n\ninside\n\`\`\`\`\n\n${paragraph('after')}`;
    expect(blocksOf(text).map((block) => block.text.split('\n')[0])).toEqual(['````', paragraph('after')]);
  });

  it('stay the same, all but the last, while the answer grows', () => {
    const text = ['one', 'two', 'three', 'four', 'five', 'six'].map(paragraph).join('\n\n');
    for (let length = 1_000; length < text.length; length += 777) {
      const done = blocksOf(text.slice(0, length)).slice(0, -1);
      expect(blocksOf(text).slice(0, done.length)).toEqual(done);
    }
  });

  it('that no person writes are left as they came', () => {
    expect(blocksOf(`${'> '.repeat(500)}x`)[0]?.kind).toBe('plain');
    expect(blocksOf('['.repeat(5_000))[0]?.kind).toBe('plain');
    expect(blocksOf('x'.repeat(60_000))[0]?.kind).toBe('plain');
    expect(blocksOf('> > a quote in a quote')[0]?.kind).toBe('markdown');
  });
});
