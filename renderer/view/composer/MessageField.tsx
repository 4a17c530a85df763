import type { ReactNode } from 'react';
import { useText } from '../../text/text.ts';
import { sends } from './keys.ts';

interface MessageFieldProps {
  readonly text: string;
  readonly placeholder: string;
  readonly disabled: boolean;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
  /** What stands at its right. */
  readonly children: ReactNode;
}

/** Grows with what is typed, to eight lines. */
export function MessageField({ text, placeholder, disabled, onChange, onSend, children }: MessageFieldProps) {
  const { composer } = useText();
  const hear = (event: React.KeyboardEvent): void => {
    const { isComposing, keyCode, key, shiftKey, altKey } = event.nativeEvent;
    if (!sends({ isComposing, keyCode, key, shiftKey, altKey })) return;
    event.preventDefault();
    if (!event.repeat) onSend();
  };
  return (
    <div className="message-field">
      <textarea
        id="composer"
        className="message-text"
        rows={linesOf(text)}
        value={text}
        placeholder={placeholder}
        aria-label={composer.message}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={hear}
      />
      {children}
    </div>
  );
}

const MOST_LINES = 8;

/** Where the browser does not size the field by its content (`field-sizing`), its lines do. */
function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && lines < MOST_LINES; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
