import { tailOf, TEXT_LIMIT, utf8Bytes, type Text } from '../../app/base/text.ts';

/** Text as it comes, of which only the tail is kept: a flood costs no more than twice the limit. */
export class Tail {
  readonly #limit: number;
  #text = '';
  #bytes = 0;

  constructor(limit = TEXT_LIMIT) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  append(text: string): void {
    this.#bytes += utf8Bytes(text);
    this.#text += text;
    if (this.#text.length > 2 * this.#limit) this.#text = this.#text.slice(-this.#limit);
  }

  text(): Text {
    const text = tailOf(this.#text, this.#limit);
    return { text, bytes: this.#bytes, dropped: Math.max(0, this.#bytes - utf8Bytes(text)) };
  }
}
