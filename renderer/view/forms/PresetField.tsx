import { useText } from '../../text/text.ts';
import { PresetSelect } from '../policy/PresetSelect.tsx';
import { folderOf, useDraft, write } from './draft.ts';
import { FieldTrouble } from './FieldTrouble.tsx';
import { FIELDS, type Creation } from './useCreation.ts';
import { useDefaultPreset } from './useDefaultPreset.ts';

interface PresetFieldProps {
  readonly offered: string | undefined;
  readonly creation: Creation;
}

export function PresetField({ offered, creation: { trouble, settle } }: PresetFieldProps) {
  const { forms } = useText();
  const chosen = useDraft((draft) => draft.preset);
  const fallback = useDefaultPreset(useDraft((draft) => folderOf(draft, offered)));
  const choose = (preset: string): void => {
    write({ preset });
    settle('preset');
  };
  return (
    <div className="form-row">
      <label className="form-label" htmlFor={FIELDS.preset}>
        {forms.preset}
      </label>
      <div>
        <PresetSelect id={FIELDS.preset} value={chosen || fallback.name} onChoose={choose} />
      </div>
      <p className="muted">
        {chosen === '' && fallback.missing !== undefined ? forms.presetGone(fallback.missing) : forms.presetMeans}
      </p>
      <FieldTrouble id="new-preset-trouble" message={trouble?.field === 'preset' ? trouble.message : undefined} />
    </div>
  );
}
