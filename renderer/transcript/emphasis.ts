// A sentence of a dictionary with its weight in it: the words stand in another order in every language.

const OPEN = '\uE000';
const CLOSE = '\uE001';
const MARKS = /[\uE000\uE001]/g;

/** For dictionaries: this part of the sentence is set in bold. What is put in cannot end or begin one by itself. */
export function strong(text: string): string {
  return OPEN + plain(text) + CLOSE;
}

/** Text that comes from elsewhere, as part of such a sentence. */
export function plain(text: string): string {
  return text.replaceAll(MARKS, '');
}

export interface Part {
  readonly text: string;
  readonly strong: boolean;
}

export function partsOf(sentence: string): readonly Part[] {
  return sentence.split(OPEN).flatMap((piece, index) => {
    // What stands before the first mark has no weight.
    const [first = '', ...rest] = index === 0 ? ['', piece] : piece.split(CLOSE);
    const parts = [
      { text: first, strong: true },
      { text: rest.join(''), strong: false },
    ];
    return parts.filter(({ text }) => text !== '');
  });
}
