import { useState, type KeyboardEvent } from 'react';
import { useText } from '../../text/text.ts';
import { IS_MAC } from '../shortcuts/commands.ts';
import { keysOf, type Keys } from '../shortcuts/keys.ts';

interface RecordKeysProps {
  /** In words. */
  readonly command: string;
  readonly onBegin: () => void;
  readonly onKeys: (keys: Keys) => void;
}

const MODIFIERS = new Set([
  'Control',
  'Shift',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'Dead',
  'Process',
  'Unidentified',
]);

/** A button that, once pressed, takes the next keys for itself instead of letting them do what they do. */
export function RecordKeys({ command, onBegin, onKeys }: RecordKeysProps) {
  const { forms } = useText();
  const words = forms.settings;
  const [recording, setRecording] = useState(false);
  const hear = (event: KeyboardEvent): void => {
    // Tab goes on as always: whoever came here with it must get away with it.
    if (!recording || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat || event.nativeEvent.isComposing || MODIFIERS.has(event.key)) return;
    setRecording(false);
    if (event.key !== 'Escape') onKeys(keysOf(event.nativeEvent, IS_MAC));
  };
  return (
    <button
      type="button"
      className={recording ? 'button recording' : 'button'}
      aria-label={recording ? words.pressKeys : words.changeOf(command)}
      aria-pressed={recording}
      onClick={() => {
        setRecording(!recording);
        onBegin();
      }}
      onKeyDown={hear}
      onBlur={() => setRecording(false)}
    >
      {recording ? words.pressKeys : words.change}
    </button>
  );
}
