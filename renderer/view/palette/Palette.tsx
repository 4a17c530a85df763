import { Dialog } from '@base-ui/react/dialog';
import { useRef, useState, type KeyboardEvent } from 'react';
import { togglePalette } from '../../store/place.ts';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
import { IS_MAC } from '../shortcuts/commands.ts';
import { showKeys } from '../shortcuts/keys.ts';
import { useEntries, type Entry } from './entries.ts';
import './palette.css';

/** Every command and every Session by a few letters of its name. */
export function Palette() {
  const { palette } = useText();
  // Nothing in here has the focus yet: this is where the person was.
  const [origin] = useState(() => document.activeElement);
  const ran = useRef(false);
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    ran.current = true;
    togglePalette(false);
    // First the palette goes and the person is back where they were, so that the command finds the window as it was.
    requestAnimationFrame(() => {
      if (origin instanceof HTMLElement) origin.focus();
      entry.run();
    });
  };
  return (
    <Dialog.Root open onOpenChange={togglePalette}>
      <Dialog.Portal>
        <Dialog.Backdrop className="palette-backdrop" />
        <Dialog.Popup className="palette" aria-label={palette.title} finalFocus={() => !ran.current}>
          <Search onRun={run} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface SearchProps {
  readonly onRun: (entry: Entry | undefined) => void;
}

function Search({ onRun }: SearchProps) {
  const { palette } = useText();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const entries = useEntries(query);
  const chosen = Math.min(at, entries.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.nativeEvent.isComposing) return;
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setAt((chosen + step + entries.length) % entries.length);
    } else if (event.key === 'Enter') onRun(entries[chosen]);
  };
  return (
    <>
      <input
        className="palette-field"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-label={palette.placeholder}
        aria-activedescendant={entries.length > 0 ? `palette-${chosen}` : undefined}
        placeholder={palette.placeholder}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette-list" id="palette-list" role="listbox" aria-label={palette.title} tabIndex={-1}>
        {entries.map((entry, index) => (
          <Option key={entry.id} entry={entry} index={index} selected={index === chosen} onRun={onRun} />
        ))}
      </div>
      {entries.length === 0 && <p className="palette-none">{palette.nothing}</p>}
    </>
  );
}

interface OptionProps extends SearchProps {
  readonly entry: Entry;
  readonly index: number;
  readonly selected: boolean;
}

function Option({ entry, index, selected, onRun }: OptionProps) {
  return (
    // The keys are heard by the field: an option never has the focus.
    <div
      className={selected ? 'palette-option selected' : 'palette-option'}
      id={`palette-${index}`}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      onClick={() => onRun(entry)}
      ref={(node) => void (selected && node?.scrollIntoView({ block: 'nearest' }))}
    >
      <span className="clip">
        <Visible text={entry.name} />
      </span>
      <span className="muted clip">
        <Visible text={entry.detail} />
      </span>
      <span className="spread" />
      {entry.keys && <kbd className="key">{showKeys(entry.keys, IS_MAC)}</kbd>}
    </div>
  );
}
