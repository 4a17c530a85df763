import { describe, expect, it } from 'vitest';
import { press, type Begun, type Heard } from './press.ts';

const SPACE = [' '];

/** What a button hears, one after the other, and the token that is in force then. True when any of it decided. */
function decides(heard: readonly (readonly [Heard, string | undefined])[], keys: readonly string[] = SPACE): boolean {
  let begun: Begun | undefined;
  let decided = false;
  for (const [event, token] of heard) {
    const step = press(begun, event, { token, keys });
    begun = step.begun;
    decided ||= step.decides;
  }
  return decided;
}

const down: Heard = { kind: 'pointer-down' };
const click: Heard = { kind: 'click' };
const blur: Heard = { kind: 'blur' };

function keyDown(key: string, more: { held?: boolean; composing?: boolean } = {}): Heard {
  return { kind: 'key-down', key, held: false, composing: false, ...more };
}

function keyUp(key: string): Heard {
  return { kind: 'key-up', key };
}

describe('a press with the pointer', () => {
  it('decides when it begins and ends on the armed button', () => {
    expect(
      decides([
        [down, 'a'],
        [click, 'a'],
      ]),
    ).toBe(true);
  });

  it('decides nothing when it began before the button was armed', () => {
    expect(
      decides([
        [down, undefined],
        [click, 'a'],
      ]),
    ).toBe(false);
  });

  it('decides nothing when what is shown changed while it was down', () => {
    expect(
      decides([
        [down, 'a'],
        [click, 'b'],
      ]),
    ).toBe(false);
    expect(
      decides([
        [down, 'a'],
        [click, undefined],
      ]),
    ).toBe(false);
  });

  it('decides nothing without a beginning, and once only with one', () => {
    expect(decides([[click, 'a']])).toBe(false);
    const first = press(undefined, down, { token: 'a', keys: SPACE });
    const second = press(first.begun, click, { token: 'a', keys: SPACE });
    expect(second).toEqual({ decides: true });
    expect(press(second.begun, click, { token: 'a', keys: SPACE }).decides).toBe(false);
  });

  it('is not undone by the focus going elsewhere', () => {
    expect(
      decides([
        [down, 'a'],
        [blur, 'a'],
        [click, 'a'],
      ]),
    ).toBe(true);
  });
});

describe('a press with a key', () => {
  it('decides when the key goes down and up on the armed button', () => {
    expect(
      decides([
        [keyDown(' '), 'a'],
        [keyUp(' '), 'a'],
      ]),
    ).toBe(true);
  });

  it('decides nothing with a key that is not one of the button', () => {
    for (const key of ['Enter', 'y', 'Y', '1', 'a']) {
      expect(
        decides([
          [keyDown(key), 'a'],
          [keyUp(key), 'a'],
        ]),
      ).toBe(false);
    }
  });

  it('decides with Enter where the button takes it', () => {
    expect(
      decides(
        [
          [keyDown('Enter'), 'a'],
          [keyUp('Enter'), 'a'],
        ],
        ['Enter', ' '],
      ),
    ).toBe(true);
  });

  it('decides nothing with a key that was held before the button had the focus, or before it was armed', () => {
    expect(
      decides([
        [keyDown(' ', { held: true }), 'a'],
        [keyUp(' '), 'a'],
      ]),
    ).toBe(false);
    const heldOn = [
      [keyDown(' '), undefined],
      [keyDown(' ', { held: true }), 'a'],
      [keyDown(' ', { held: true }), 'a'],
      [keyUp(' '), 'a'],
    ] as const;
    expect(decides(heldOn)).toBe(false);
  });

  it('decides once when it is held after it began', () => {
    const heldOn = [
      [keyDown(' '), 'a'],
      [keyDown(' ', { held: true }), 'a'],
      [keyUp(' '), 'a'],
    ] as const;
    expect(decides(heldOn)).toBe(true);
  });

  it('decides nothing while text is being composed', () => {
    expect(
      decides([
        [keyDown(' ', { composing: true }), 'a'],
        [keyUp(' '), 'a'],
      ]),
    ).toBe(false);
  });

  it('decides nothing when the focus left the button, or the key that comes up is another', () => {
    expect(
      decides([
        [keyDown(' '), 'a'],
        [blur, 'a'],
        [keyUp(' '), 'a'],
      ]),
    ).toBe(false);
    expect(
      decides(
        [
          [keyDown(' '), 'a'],
          [keyUp('Enter'), 'a'],
        ],
        ['Enter', ' '],
      ),
    ).toBe(false);
  });

  it('decides nothing when only the key coming up is heard', () => {
    expect(decides([[keyUp(' '), 'a']])).toBe(false);
  });

  it('decides nothing when what is shown changed while it was down', () => {
    expect(
      decides([
        [keyDown(' '), 'a'],
        [keyUp(' '), 'b'],
      ]),
    ).toBe(false);
  });
});
