import { describe, expect, it } from 'vitest';
import { Background } from './background.ts';
import { Positions } from './positions.ts';
import { Tail } from './tail.ts';

describe('what ended programs do', () => {
  it('is told once, under the program that did it', () => {
    const background = new Background();
    background.fault(1, 'Error: late');
    background.output(2, 'tick\n');
    background.output(2, 'tock\n');
    background.fault(0, 'unknown');
    expect(background.take()).toEqual([
      'cell-1: Error: late',
      'an earlier program: unknown',
      'output of cell-2 after it had ended: tick\ntock\n',
    ]);
    expect(background.take()).toEqual([]);
  });

  it('is bounded, and says what is missing', () => {
    const background = new Background();
    for (let at = 0; at < 1000; at += 1) background.fault(1, 'x'.repeat(100_000));
    for (let cell = 1; cell <= 100; cell += 1) background.output(cell, 'y'.repeat(100_000));
    const told = background.take();
    expect(told.length).toBe(50 + 1 + 20);
    expect(told).toContain('950 more faults');
    expect(told.join('').length).toBeLessThan(70 * 5000);
    expect(background.bytes).toBe(10_000_000);
  });
});

describe('a tail', () => {
  it('keeps the end, and counts the whole', () => {
    const tail = new Tail(10);
    for (let at = 0; at < 100; at += 1) tail.append('é1234');
    expect(tail.text()).toEqual({ text: '1234é1234', bytes: 600, dropped: 590 });
  });
});

describe('positions', () => {
  it('are moved back only in the program, on the line and behind the place where something was put', () => {
    const positions = new Positions();
    positions.add(3, { line: 2, by: 10, from: 5 });
    const stack = 'at a (cell-3.js:2:20)\nat b (cell-3.js:1:20)\nat c (cell-3.js:2:4)\nat d (cell-33.js:2:20)';
    expect(positions.correct(stack)).toBe(stack.replace('2:20', '2:10'));
  });
});
