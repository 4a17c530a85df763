import { useState } from 'react';
import { usePolicy, type PresetRow } from '../../store/policy.ts';
import { useSettings } from '../../store/settings.ts';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
import { PresetSelect } from '../policy/PresetSelect.tsx';
import { isDanger, narrowToWide, wordsOf } from '../policy/presets.ts';
import { RenamePreset } from './RenamePreset.tsx';
import { Section } from './Section.tsx';
import { useSave } from './useSave.ts';

/** What new Sessions begin with, and the table. The pair of a preset is changed in the file alone. */
export function Presets() {
  const { forms } = useText();
  const words = forms.settings;
  const presets = usePolicy((state) => state.presets);
  const chosen = useSettings(({ settings }) => settings['defaultPreset']);
  const standing = typeof chosen === 'string' ? chosen : '';
  const { trouble, run } = useSave();
  return (
    <Section id="presets" title={words.presets} means={words.presetsMean} trouble={trouble}>
      <div className="setting-line">
        <label htmlFor="default-preset">{words.defaultPreset}</label>
        <PresetSelect
          id="default-preset"
          value={standing}
          scope="default"
          onChoose={(to) => run({ at: ['defaultPreset'], to, seen: standing })}
        />
        <span className="muted">{words.defaultMeans}</span>
      </div>
      <ul className="preset-rows" aria-label={words.presets}>
        {narrowToWide(presets).map((preset) => (
          <Row key={preset.name} preset={preset} />
        ))}
      </ul>
    </Section>
  );
}

function Row({ preset }: { readonly preset: PresetRow }) {
  const dictionary = useText();
  const { common, forms } = dictionary;
  const words = forms.settings;
  const [editing, setEditing] = useState(false);
  const { label, description } = wordsOf(preset, dictionary);
  return (
    <li className="preset-row" data-preset={preset.name}>
      <div className="preset-row-line">
        <strong>
          <Visible text={label} />
        </strong>
        <code className="muted">
          <Visible text={preset.name} />
        </code>
        <span className="spread" />
        <span className={isDanger(preset) ? 'tag danger' : 'tag'}>{common.modes[preset.sandbox]}</span>
        <span className="tag">{common.policies[preset.approval]}</span>
        <button
          type="button"
          className="button"
          aria-expanded={editing}
          aria-label={words.renameOf(label)}
          onClick={() => setEditing(!editing)}
        >
          {words.rename}
        </button>
      </div>
      {editing ? (
        <RenamePreset name={preset.name} onDone={() => setEditing(false)} />
      ) : (
        <p className="muted">
          <Visible text={description} />
        </p>
      )}
    </li>
  );
}
