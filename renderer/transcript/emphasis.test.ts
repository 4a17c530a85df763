import { describe, expect, it } from 'vitest';
import { partsOf, strong } from './emphasis.ts';

describe('a sentence with weight', () => {
  it('comes apart at its marks', () => {
    expect(partsOf(`Preset ${strong('A → B')} by you.`)).toEqual([
      { text: 'Preset ', strong: false },
      { text: 'A → B', strong: true },
      { text: ' by you.', strong: false },
    ]);
  });

  it('may begin and end with it, or have none', () => {
    expect(partsOf(strong('All'))).toEqual([{ text: 'All', strong: true }]);
    expect(partsOf('None.')).toEqual([{ text: 'None.', strong: false }]);
    expect(partsOf('')).toEqual([]);
  });

  it('takes no weight from what is put into it', () => {
    const [title] = partsOf(strong(strong('x') + 'y'));
    expect(title).toEqual({ text: 'xy', strong: true });
  });
});
