import { describe, expect, it } from 'vitest';
import { clockOf, startedAt } from './times.ts';

describe('the start of a process', () => {
  const boot = Date.UTC(2026, 0, 5, 8, 0, 0);

  it('is counted in hundredths of a second from the start of the machine', () => {
    expect(startedAt('36012', boot)?.toISOString()).toBe('2026-01-05T08:06:00.120Z');
  });

  it.each([
    [undefined, boot],
    ['', boot],
    ['Mon Jan', boot],
    ['36012', undefined],
  ])('is not known from %s and %s', (startTime, bootTime) => {
    expect(startedAt(startTime, bootTime)).toBeUndefined();
  });
});

describe('a clock', () => {
  const time = new Date(2026, 0, 5, 14, 2, 7);

  it('shows hours, minutes and seconds of this day', () => {
    const later = new Date(2026, 0, 5, 23, 59, 0);
    expect(clockOf(time, later, 'en')).toBe('14:02:07');
    expect(clockOf(time, later, 'zh')).toBe('14:02:07');
  });

  it('shows the day where it is another one', () => {
    expect(clockOf(time, new Date(2026, 0, 6, 0, 0, 1), 'en')).toContain('Jan 5, 2026');
  });
});
