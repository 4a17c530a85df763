import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endSignal } from './signals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is aborted by the first signal, and takes the same one told twice for one', () => {
  const from = new EventEmitter();
  const signal = endSignal(from);
  expect(signal.aborted).toBe(false);
  expect(from.emit('SIGINT')).toBe(true);
  expect(signal.aborted).toBe(true);
  vi.advanceTimersByTime(499);
  expect(from.emit('SIGINT')).toBe(true);
});

it('leaves a later signal to the system, which ends the process', () => {
  const from = new EventEmitter();
  endSignal(from);
  from.emit('SIGTERM');
  vi.advanceTimersByTime(500);
  expect(['SIGTERM', 'SIGINT', 'SIGHUP'].map((name) => from.emit(name))).toEqual([false, false, false]);
});
