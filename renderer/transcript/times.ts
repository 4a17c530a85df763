import type { Language } from '../text/text.ts';

// Making a formatter takes longer than all that it will ever format.
const formatters = new Map<string, Intl.DateTimeFormat>();

export function timeOfDay(time: Date, language: Language): string {
  return formatter('time', language, { hour: '2-digit', minute: '2-digit' }).format(time);
}

export function dateAndTime(time: Date, language: Language): string {
  return formatter('whole', language, { dateStyle: 'medium', timeStyle: 'medium' }).format(time);
}

/** The unit in which the kernel tells a process's start, whatever it counts in itself. */
const TICK_MS = 10;

/** `startTime` in ticks since the machine was started. */
export function startedAt(startTime: string | undefined, bootTime: number | undefined): Date | undefined {
  if (bootTime === undefined || startTime === undefined || !/^\d+$/.test(startTime)) return undefined;
  return new Date(bootTime + Number(startTime) * TICK_MS);
}

/** To the second; with its day where that is not the one of `now`. */
export function clockOf(time: Date, now: Date, language: Language): string {
  if (time.toDateString() !== now.toDateString()) return dateAndTime(time, language);
  return formatter('clock', language, { timeStyle: 'medium', hourCycle: 'h23' }).format(time);
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
