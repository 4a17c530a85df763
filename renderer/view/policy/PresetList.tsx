import { Select } from '@base-ui/react/select';
import { Check, ChevronDown, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { CUSTOM } from '../../../app/policy/presetTable.ts';
import type { PresetRow } from '../../store/policy.ts';
import { useText } from '../../text/text.ts';
import { Foresight } from './Foresight.tsx';
import { isDanger, labelOf, narrowToWide, wordsOf } from './presets.ts';
import type { PresetSelectProps } from './presetSelectProps.ts';

interface PresetListProps extends PresetSelectProps {
  readonly presets: readonly PresetRow[];
  /** Where the list is drawn. */
  readonly popups: HTMLElement | null;
}

/** The selector itself: the value in force, and every preset with what it means. */
export function PresetList(props: PresetListProps) {
  const { id, value, now, sessionId, disabled, presets, popups, onChoose } = props;
  const dictionary = useText();
  const [at, setAt] = useState<string>();
  const current = presets.find((row) => row.name === value);
  const danger = now ? now.mode === 'danger-full-access' : current !== undefined && isDanger(current);
  return (
    <Select.Root<string>
      value={value}
      modal={false}
      disabled={disabled ?? false}
      onOpenChange={(open) => setAt(open ? value : undefined)}
      onValueChange={(name, { reason }) => {
        // Only a choice from the open list counts: letters typed on the closed one would switch unseen.
        if (name !== null && name !== value && reason === 'item-press') onChoose(name);
      }}
    >
      <Select.Trigger
        id={id}
        className={danger ? 'button preset is-danger' : 'button preset'}
        aria-label={dictionary.policy.preset}
      >
        {danger && <TriangleAlert size={14} aria-hidden="true" />}
        <span className="clip">{labelOf(value, presets, dictionary)}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </Select.Trigger>
      <Select.Portal container={popups}>
        <Select.Positioner
          className="preset-place"
          alignItemWithTrigger={false}
          positionMethod="fixed"
          align="end"
          sideOffset={4}
        >
          <Select.Popup className="preset-popup">
            <Select.List className="preset-list" aria-label={dictionary.policy.preset}>
              {narrowToWide(presets).map((preset) => (
                <Entry key={preset.name} preset={preset} onReach={setAt} />
              ))}
              {!current && <Unlisted value={value} now={now} onReach={setAt} />}
            </Select.List>
            {sessionId !== undefined && (
              <Foresight sessionId={sessionId} now={now} preset={at === value ? undefined : at} />
            )}
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}

interface EntryProps {
  readonly preset: PresetRow;
  readonly onReach: (name: string | undefined) => void;
}

function Entry({ preset, onReach }: EntryProps) {
  const dictionary = useText();
  const { common } = dictionary;
  const { label, description } = wordsOf(preset, dictionary);
  const danger = isDanger(preset);
  return (
    <Select.Item
      value={preset.name}
      label={label}
      className={danger ? 'preset-entry is-danger' : 'preset-entry'}
      onFocus={() => onReach(preset.name)}
    >
      <Select.ItemIndicator className="preset-check">
        <Check size={14} aria-hidden="true" />
      </Select.ItemIndicator>
      <span className="preset-name">
        {danger && <TriangleAlert size={14} aria-hidden="true" />}
        <Select.ItemText>{label}</Select.ItemText>
      </span>
      <span className="preset-means">{description}</span>
      <span className="preset-pair">
        <span className={danger ? 'tag danger' : 'tag'}>{common.modes[preset.sandbox]}</span>
        <span className="tag">{common.policies[preset.approval]}</span>
      </span>
    </Select.Item>
  );
}

type UnlistedProps = Pick<PresetSelectProps, 'value' | 'now'> & Pick<EntryProps, 'onReach'>;

/** What is in force and is no entry: shown, explained, not to be chosen. */
function Unlisted({ value, now, onReach }: UnlistedProps) {
  const dictionary = useText();
  const { common, policy } = dictionary;
  return (
    <Select.Item value={value} disabled className="preset-entry" onFocus={() => onReach(undefined)}>
      <Select.ItemIndicator className="preset-check">
        <Check size={14} aria-hidden="true" />
      </Select.ItemIndicator>
      <span className="preset-name">
        <Select.ItemText>{value === CUSTOM ? policy.custom : value}</Select.ItemText>
      </span>
      <span className="preset-means">{policy.customMeans}</span>
      {now && (
        <span className="preset-pair">
          <span className="tag">{common.modes[now.mode]}</span>
          <span className="tag">{common.policies[now.policy]}</span>
        </span>
      )}
    </Select.Item>
  );
}
