/** `\r\n` when every line of the text ends so; mixed files and those without a line break count as `\n`. */
export function endingOf(text: string): '\r\n' | '\n' {
  return /\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';
}

/** New text for a file that had `before`: the endings of the file stay, unless the text brings its own. */
export function keepEndings(text: string, before: string): string {
  return endingOf(before) === '\r\n' && !text.includes('\r') ? toCrlf(text) : text;
}

export function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}
