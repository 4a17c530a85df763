import { useText } from '../../text/text.ts';
import { useDraft, write } from './draft.ts';

export function TitleField() {
  const { forms } = useText();
  const title = useDraft((draft) => draft.title);
  return (
    <div className="form-row">
      <label className="form-label" htmlFor="new-title">
        {forms.title}
      </label>
      <input
        id="new-title"
        className="field"
        autoComplete="off"
        value={title}
        aria-describedby="new-title-means"
        onChange={(event) => write({ title: event.target.value })}
      />
      <p className="muted" id="new-title-means">
        {forms.titleMeans}
      </p>
    </div>
  );
}
