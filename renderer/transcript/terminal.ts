/**
 * What a command printed, as text to read: colours and cursor moves are gone, a line that was drawn over is as it was last,
 * and whatever else could hide or turn text is drawn as an escape. Nothing of it can act.
 */
export function printed(text: string): string {
  return escaped(drawnOver(text.replaceAll(SEQUENCES, '')));
}

// ECMA-48: control sequences, strings that end with BEL or ST (a title, a link), and the short escapes.
const SEQUENCES =
  // eslint-disable-next-line no-control-regex -- These are the characters meant.
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\|$)|\u001B[ -/]*[0-~]|\u009B[0-?]*[ -/]*[@-~]/g;

/** A carriage return goes back to the start of its line. */
function drawnOver(text: string): string {
  if (!text.includes('\r') && !text.includes('\b')) return text;
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => rubbedOut(line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(/\r+$/, '')))
    .join('\n');
}

/** As overstruck manuals are: each backspace takes the character before it. */
function rubbedOut(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

/** Characters that are not seen or that turn others around, as `⟨U+202E⟩`. Line feed, tab and blank stay what they are. */
export function escaped(text: string): string {
  return text.replaceAll(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

// Behind a picture two of them only say how it is drawn, or that another picture belongs to it.
const UNSEEN =
  /(?![\n\t])(?!(?<=\p{Extended_Pictographic})[\uFE0F\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
