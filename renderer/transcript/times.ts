import type { Language } from '../text/text.ts';

// Making a formatter takes longer than all that it will ever format.
const formatters = new Map<string, Intl.DateTimeFormat>();

export function timeOfDay(time: Date, language: Language): string {
  return formatter('time', language, { hour: '2-digit', minute: '2-digit' }).format(time);
}

export function dateAndTime(time: Date, language: Language): string {
  return formatter('whole', language, { dateStyle: 'medium', timeStyle: 'medium' }).format(time);
}

/** The first one of all takes some 30 ms: before a Session is drawn, while nothing else is to be done. */
export function prepareTimes(language: Language): void {
  const now = new Date();
  timeOfDay(now, language);
  dateAndTime(now, language);
}

function formatter(name: string, language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${language}`;
  const made = formatters.get(key) ?? new Intl.DateTimeFormat(language, options);
  formatters.set(key, made);
  return made;
}
