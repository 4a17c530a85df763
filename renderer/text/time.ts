import type { Dictionary } from './text.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in the coarsest unit that says something. */
export function ago(since: number, now: number, { common: { ago: words } }: Dictionary): string {
  const passed = Math.max(0, now - since);
  if (passed < 5 * SECOND) return words.now;
  if (passed < MINUTE) return words.seconds(Math.floor(passed / SECOND));
  if (passed < HOUR) return words.minutes(Math.floor(passed / MINUTE));
  return passed < DAY ? words.hours(Math.floor(passed / HOUR)) : words.days(Math.floor(passed / DAY));
}

export function duration(ms: number, { common: { duration: words } }: Dictionary): string {
  if (ms < SECOND) return words.ms(Math.round(ms));
  if (ms < MINUTE) return words.seconds((ms / SECOND).toFixed(1));
  return words.minutes(Math.floor(ms / MINUTE), Math.floor((ms % MINUTE) / SECOND));
}
