/** The first `length` UTF-16 units, and an ellipsis when something was cut. A character is never cut in two. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, boundary(text, length))}…`;
}

/** The longest head of at most `limit` bytes of UTF-8 that ends between two characters. */
export function headOf(text: string, limit: number): string {
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > limit) return text.slice(0, at);
    at += code < 0x10000 ? 1 : 2;
  }
  return text;
}

function boundary(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  const insidePair = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return insidePair ? at - 1 : at;
}
