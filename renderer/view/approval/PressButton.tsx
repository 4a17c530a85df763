import { useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { press, type Begun, type Heard } from './press.ts';

export interface PressButtonProps {
  readonly className: string;
  /** As `useArmed` gives it: undefined while a press counts for nothing. */
  readonly token: string | undefined;
  /** Space always presses; Enter only where it may. */
  readonly enter: boolean;
  readonly onPress: () => void;
  /** Enter came down on a button that does not take it. */
  readonly onEnter?: () => void;
  /** The keys that do the same, as `aria-keyshortcuts` has them. */
  readonly keys?: string;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly children: ReactNode;
}

const SPACE = [' '];
const SPACE_AND_ENTER = [' ', 'Enter'];

/** A button that records a decision: pressed on purpose, or not at all (press.ts). It can be focused while not armed. */
export function PressButton(props: PressButtonProps) {
  const { className, token, enter, onPress, onEnter, keys, buttonRef, children } = props;
  const begun = useRef<Begun>(undefined);
  const pointer = useRef(false);
  const hear = (heard: Heard): void => {
    const step = press(begun.current, heard, { token, keys: enter ? SPACE_AND_ENTER : SPACE });
    begun.current = step.begun;
    if (step.decides) onPress();
  };
  const hearKey = (event: KeyboardEvent): void => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    // The browser makes no click of its own: what a key does is decided here alone.
    event.preventDefault();
    if (!event.isTrusted) return;
    if (event.type === 'keyup') return hear({ kind: 'key-up', key: event.key });
    const composing = event.nativeEvent.isComposing || isModified(event);
    hear({ kind: 'key-down', key: event.key, held: event.repeat, composing });
    if (event.key === 'Enter' && !event.repeat) onEnter?.();
  };
  return (
    <button
      ref={buttonRef}
      type="button"
      className={className}
      aria-disabled={token === undefined}
      aria-keyshortcuts={keys}
      onPointerDown={({ isPrimary, button, isTrusted }) => {
        pointer.current = true;
        if (isPrimary && button === 0 && isTrusted) hear({ kind: 'pointer-down' });
      }}
      onMouseDown={({ button, isTrusted }) => {
        // A finger's comes after it was lifted; that of assistive technology comes without a pointer, and counts.
        if (!pointer.current && button === 0 && isTrusted) hear({ kind: 'pointer-down' });
        pointer.current = false;
      }}
      onClick={({ isTrusted }) => {
        if (isTrusted) hear({ kind: 'click' });
      }}
      onKeyDown={hearKey}
      onKeyUp={hearKey}
      onBlur={() => hear({ kind: 'blur' })}
    >
      {children}
    </button>
  );
}

function isModified({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}
