import { useState } from 'react';
import type { Json } from '../../../app/base/json.ts';
import { useSettings } from '../../store/settings.ts';
import { useText } from '../../text/text.ts';
import { valueAt } from './edit.ts';
import { useSave } from './useSave.ts';

interface RenamePresetProps {
  readonly name: string;
  readonly onDone: () => void;
}

/** Began anew, it holds what the file says by then. */
export function RenamePreset({ name, onDone }: RenamePresetProps) {
  const [begun, setBegun] = useState(0);
  return <Form key={begun} name={name} onDone={onDone} onReload={() => setBegun(begun + 1)} />;
}

interface FormProps extends RenamePresetProps {
  readonly onReload: () => void;
}

function Form({ name, onDone, onReload }: FormProps) {
  const { common, forms } = useText();
  const words = forms.settings;
  // As it was when the person began to type: an outside change since then is not written over unasked.
  const [seen] = useState(() => valueAt(useSettings.getState().settings, ['presets', name]));
  const [label, setLabel] = useState(() => textOf(seen, 'label'));
  const [description, setDescription] = useState(() => textOf(seen, 'description'));
  const { trouble, run } = useSave();
  const submit = (): void => {
    const to = { label: label.trim() || name, description: description.trim() };
    run({ at: ['presets', name], to, seen }, (saved) => {
      if (saved === 'saved') onDone();
      if (saved === 'theirs') onReload();
    });
  };
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label className="form-row">
        <span className="form-label">{words.label}</span>
        <input className="field" value={label} onChange={(event) => setLabel(event.target.value)} autoFocus />
      </label>
      <label className="form-row">
        <span className="form-label">{words.description}</span>
        <input className="field" value={description} onChange={(event) => setDescription(event.target.value)} />
      </label>
      {trouble !== undefined && (
        <p className="trouble" role="alert">
          {words.notSaved}: {trouble}
        </p>
      )}
      <div className="form-buttons">
        <button type="submit" className="button primary">
          {words.save}
        </button>
        <button type="button" className="button" onClick={onDone}>
          {common.cancel}
        </button>
      </div>
    </form>
  );
}

function textOf(preset: Json | undefined, key: string): string {
  const text = valueAt(preset ?? null, [key]);
  return typeof text === 'string' ? text : '';
}
