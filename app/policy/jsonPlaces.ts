import type { Json } from '../base/json.ts';

/** From 1; columns count UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type PlacedJson =
  | {
      readonly kind: 'json';
      readonly value: Json;
      /** Where the value at `path` begins; that of its nearest ancestor when there is none. */
      readonly at: (path: readonly PropertyKey[]) => Position;
    }
  | { readonly kind: 'fault'; readonly message: string; readonly position: Position };

/**
 * Reads JSON that a person wrote: a fault has a position, every value can be found again, and a key written twice is a
 * fault, where `JSON.parse` would silently take the last one.
 */
export function readJson(text: string): PlacedJson {
  const reader = new Reader(text);
  try {
    const value = reader.document();
    return { kind: 'json', value, at: (path) => positionOf(text, nearest(reader.places, path)) };
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault;
    return { kind: 'fault', message: fault.message, position: positionOf(text, fault.offset) };
  }
}

class JsonFault extends Error {
  readonly offset: number;
  constructor(message: string, offset: number, options?: { cause?: unknown }) {
    super(message, options);
    this.offset = offset;
  }
}

const MAX_DEPTH = 100;
const BAD_STRING = 'a string that does not end, or has a character that must be escaped';
const SPACE = /[ \t\r\n]*/y;
// A raw control character inside is left to JSON.parse, which refuses it.
const STRING = /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

class Reader {
  readonly places = new Map<string, number>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    if (this.#text.trim() === '') throw new JsonFault('the file is empty', 0);
    const value = this.#value([]);
    if (this.#at < this.#text.length) throw new JsonFault('more follows after the end of the JSON value', this.#at);
    return value;
  }

  /** The spaces around a value belong to it. */
  #value(path: readonly string[]): Json {
    if (path.length > MAX_DEPTH) throw new JsonFault(`nested deeper than ${MAX_DEPTH}`, this.#at);
    this.#take(SPACE);
    this.places.set(keyOf(path), this.#at);
    const value = this.#bare(path);
    this.#take(SPACE);
    return value;
  }

  #bare(path: readonly string[]): Json {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(path);
      case '[':
        return this.#array(path);
      case '"':
        return this.#string();
      default: {
        const scalar = this.#take(SCALAR);
        if (scalar === undefined) throw this.#unexpected('a value');
        return JSON.parse(scalar) as Json;
      }
    }
  }

  #object(path: readonly string[]): Json {
    const members = new Map<string, Json>();
    this.#list('}', () => {
      this.#take(SPACE);
      const start = this.#at;
      const key = this.#string();
      if (members.has(key)) throw new JsonFault(`the key ${JSON.stringify(key)} is written twice`, start);
      this.#take(SPACE);
      if (!this.#eat(':')) throw this.#unexpected('":"');
      members.set(key, this.#value([...path, key]));
    });
    return Object.fromEntries(members);
  }

  #array(path: readonly string[]): Json {
    const items: Json[] = [];
    this.#list(']', () => void items.push(this.#value([...path, String(items.length)])));
    return items;
  }

  /** From the opening bracket to `end`, one `member` after the other. */
  #list(end: string, member: () => void): void {
    this.#at += 1;
    this.#take(SPACE);
    if (this.#eat(end)) return;
    do {
      member();
      this.#take(SPACE);
    } while (this.#eat(','));
    if (!this.#eat(end)) throw this.#unexpected(`"," or "${end}"`);
  }

  #string(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw this.#unexpected('a string in double quotes');
    const literal = this.#take(STRING) ?? '';
    try {
      return JSON.parse(literal) as string;
    } catch (cause) {
      throw new JsonFault(BAD_STRING, start, { cause });
    }
  }

  #eat(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #unexpected(expected: string): JsonFault {
    const found = this.#text[this.#at];
    const what = found === undefined ? 'the file ends' : `there is ${JSON.stringify(found)}`;
    return new JsonFault(`${what} where ${expected} should be`, this.#at);
  }
}

function nearest(places: ReadonlyMap<string, number>, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = places.get(keyOf(path.slice(0, length).map(String)));
    if (offset !== undefined) return offset;
  }
  return places.get(keyOf([])) ?? 0;
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
