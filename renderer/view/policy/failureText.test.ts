import { describe, expect, it } from 'vitest';
import { en } from '../../text/en.ts';
import { failureText } from './failureText.ts';

describe('a switch that failed', () => {
  it('has changed nothing where main refused it', () => {
    expect(text('unknown-preset')).toBe('Not changed: Why.');
    expect(text('read-only')).toBe('Not changed: Why.');
  });

  it('is not known where the answer did not come', () => {
    expect(text('closing')).toMatch(/^Not confirmed: Why\./);
    expect(text(undefined)).toMatch(/^Not confirmed/);
  });

  it('is in force where only the disk refused it', () => {
    expect(text('storage')).toBe('In force, but not on disk yet: Why.');
  });
});

function text(code: Parameters<typeof failureText>[0]['code']): string {
  return failureText({ kind: 'failed', code, message: 'Why.' }, en);
}
