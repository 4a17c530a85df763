import { useMemo, useState } from 'react';
import { useSettings } from '../../store/settings.ts';
import { useText, type Dictionary } from '../../text/text.ts';
import { COMMAND_NAMES, IS_MAC, keysFor, type CommandName } from '../shortcuts/commands.ts';
import { showKeys, writeKeys, type Keys } from '../shortcuts/keys.ts';
import { clashOf, judgeKeys, type Judged, type KeyTable } from './judgeKeys.ts';
import { RecordKeys } from './RecordKeys.tsx';
import { Section } from './Section.tsx';
import { useSave } from './useSave.ts';

/** Every command with its keys, and other keys for it. */
export function Shortcuts() {
  const { forms } = useText();
  const words = forms.settings;
  const chosen = useSettings((state) => state.window.shortcuts);
  const table = useMemo<KeyTable>(() => COMMAND_NAMES.map((name) => [name, keysFor(name, chosen)]), [chosen]);
  const { trouble, run } = useSave();
  return (
    <Section id="shortcuts" title={words.shortcuts} means={words.shortcutsMean} trouble={trouble}>
      <table className="shortcuts">
        <thead>
          <tr>
            <th scope="col">{words.command}</th>
            <th scope="col">{words.keys}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {table.map(([name, keys]) => (
            <Row
              key={name}
              name={name}
              keys={keys}
              own={chosen[name]}
              table={table}
              onSave={(to) => run({ at: ['window', 'shortcuts', name], to, seen: chosen[name] })}
            />
          ))}
        </tbody>
      </table>
    </Section>
  );
}

interface RowProps {
  readonly name: CommandName;
  /** In force. */
  readonly keys: string;
  /** What the settings say, which may be unusable. */
  readonly own: string | undefined;
  readonly table: KeyTable;
  readonly onSave: (keys: string | null) => void;
}

function Row({ name, keys, own, table, onSave }: RowProps) {
  const dictionary = useText();
  const { forms, palette } = dictionary;
  const words = forms.settings;
  const [refusal, setRefusal] = useState<string>();
  const command = palette.commands[name];
  const take = (pressed: Keys): void => {
    const judged = judgeKeys(name, pressed, table);
    setRefusal(refusalOf(judged, showKeys(writeKeys(pressed), IS_MAC), dictionary));
    if (judged.kind === 'free') onSave(writeKeys(pressed));
  };
  return (
    <tr data-command={name}>
      <th scope="row">
        {command}
        <span className="shortcut-says" role="status">
          {refusal ?? standingOf({ name, keys, own, table }, dictionary)}
        </span>
      </th>
      <td>
        {keys === '' ? (
          <span className="muted">{words.noKeys}</span>
        ) : (
          <kbd className="key">{showKeys(keys, IS_MAC)}</kbd>
        )}
      </td>
      <td className="shortcut-buttons">
        {own !== undefined && (
          <button
            type="button"
            className="button plain"
            aria-label={words.resetOf(command)}
            onClick={() => {
              setRefusal(undefined);
              onSave(null);
            }}
          >
            {words.reset}
          </button>
        )}
        <RecordKeys command={command} onBegin={() => setRefusal(undefined)} onKeys={take} />
      </td>
    </tr>
  );
}

function refusalOf(judged: Judged, keys: string, { forms, palette }: Dictionary): string | undefined {
  const words = forms.settings;
  switch (judged.kind) {
    case 'free':
      return undefined;
    case 'unusable':
      return IS_MAC ? words.unusableMac(keys) : words.unusable(keys);
    case 'reserved':
      return words.reserved(keys);
    case 'taken':
      return words.taken(keys, palette.commands[judged.by]);
  }
}

/** What is wrong with what the file says, if anything. */
function standingOf(
  { name, keys, own, table }: Omit<RowProps, 'onSave'>,
  { forms, palette }: Dictionary,
): string | undefined {
  if (own !== undefined && own !== keys) return forms.settings.ignored(own);
  const other = clashOf(name, table);
  return other && forms.settings.clash(palette.commands[other]);
}
