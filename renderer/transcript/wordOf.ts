/** What a table of words has for a name from elsewhere; undefined where it has none. */
export function wordOf(words: Readonly<Record<string, string>>, name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(words, name) ? words[name] : undefined;
}
