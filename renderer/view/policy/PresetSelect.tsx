import { ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { usePolicy, type PresetRow } from '../../store/policy.ts';
import { useText } from '../../text/text.ts';
import { later, type Fetchable } from '../later.tsx';
import { asksFirst, labelOf } from './presets.ts';
import type { PresetSelectProps } from './presetSelectProps.ts';
import { useFocusGuards } from './useFocusGuards.ts';
import './policy.css';

const PresetList = later(async () => (await import('./PresetList.tsx')).PresetList);
const DangerDialog = later(async () => (await import('./DangerDialog.tsx')).DangerDialog);
export const PRESET_VIEWS: readonly Fetchable[] = [PresetList, DangerDialog];

/** The one selector of presets, in the header and in forms (ui.md, Preset selector). */
export function PresetSelect(props: PresetSelectProps) {
  const { id, value, now, sessionId, scope = 'new', onChoose } = props;
  const presets = usePolicy((state) => state.presets);
  const [asked, setAsked] = useState<PresetRow>();
  const [whole, setWhole] = useState<HTMLElement | null>(null);
  const [popups, setPopups] = useState<HTMLElement | null>(null);
  useFocusGuards(whole);
  const choose = (name: string): void => {
    const preset = presets.find((row) => row.name === name);
    if (preset && asksFirst(preset, now)) setAsked(preset);
    else onChoose(name);
  };
  const confirm = (): void => {
    if (asked) onChoose(asked.name);
    setAsked(undefined);
  };
  return (
    <div className="preset-whole" ref={setWhole}>
      <Suspense fallback={<NotYet id={id} value={value} presets={presets} />}>
        <PresetList {...props} presets={presets} popups={popups} onChoose={choose} />
      </Suspense>
      {asked && (
        <Suspense fallback={null}>
          <DangerDialog
            preset={asked}
            now={now}
            sessionId={sessionId}
            scope={sessionId === undefined ? scope : 'session'}
            returnTo={id}
            popups={popups}
            onConfirm={confirm}
            onClose={() => setAsked(undefined)}
          />
        </Suspense>
      )}
      {/* Popups are drawn here and not at the end of the page, so that they lie within its landmarks. */}
      <div ref={setPopups} />
    </div>
  );
}

interface NotYetProps extends Pick<PresetSelectProps, 'id' | 'value'> {
  readonly presets: readonly PresetRow[];
}

/** In the place of the selector while its code is loaded, so that nothing moves. */
function NotYet({ id, value, presets }: NotYetProps) {
  const dictionary = useText();
  return (
    <button type="button" id={id} className="button preset" aria-disabled="true">
      <span className="heard">{dictionary.policy.preset}</span>
      <span className="clip">{labelOf(value, presets, dictionary)}</span>
      <ChevronDown size={14} aria-hidden="true" />
    </button>
  );
}
