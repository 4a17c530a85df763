import { expect, it } from 'vitest';
import { Emitter } from './emitter.ts';

it('tells everybody in order, also behind one that throws, and nobody who has left', () => {
  const faults: unknown[] = [];
  const told: string[] = [];
  const emitter = new Emitter<string>((fault) => void faults.push(fault));
  const leave = emitter.listen((value) => void told.push(`first ${value}`));
  emitter.listen(() => {
    throw new Error('broken listener');
  });
  emitter.listen((value) => void told.push(`last ${value}`));
  emitter.emit('a');
  leave();
  emitter.emit('b');
  expect(told).toEqual(['first a', 'last a', 'last b']);
  expect(faults).toEqual([new Error('broken listener'), new Error('broken listener')]);
});

it('does not tell of the present value who comes while it is told', () => {
  const told: number[] = [];
  const emitter = new Emitter<number>(() => undefined);
  emitter.listen((value) => {
    if (value === 1) emitter.listen((later) => void told.push(later));
  });
  emitter.emit(1);
  emitter.emit(2);
  expect(told).toEqual([2]);
});
