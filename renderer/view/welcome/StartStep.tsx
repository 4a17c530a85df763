import { useText } from '../../text/text.ts';
import { DemoButton } from '../forms/DemoButton.tsx';
import { useDraft } from '../forms/draft.ts';
import { FieldTrouble } from '../forms/FieldTrouble.tsx';
import { FolderField } from '../forms/FolderField.tsx';
import { PresetField } from '../forms/PresetField.tsx';
import { TitleField } from '../forms/TitleField.tsx';
import type { Creation } from '../forms/useCreation.ts';

interface StartStepProps {
  readonly creation: Creation;
  /** The demo was started; a Session of one's own tells by itself. */
  readonly onStarted: () => void;
}

/** The demo brings everything; a script works in a folder that the person names. */
export function StartStep({ creation, onStarted }: StartStepProps) {
  const demo = useDraft((draft) => draft.agent === 'demo');
  return demo ? <Demo onStarted={onStarted} /> : <Own creation={creation} />;
}

function Demo({ onStarted }: Pick<StartStepProps, 'onStarted'>) {
  const { forms } = useText();
  const words = forms.welcome;
  return (
    <>
      <p>{words.demoStart}</p>
      <ol className="demo-story">
        {words.demoStory.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ol>
      <div className="form-buttons">
        <DemoButton label={forms.startDemo} className="button primary" onStarted={onStarted} />
      </div>
    </>
  );
}

function Own({ creation }: Pick<StartStepProps, 'creation'>) {
  const { forms } = useText();
  const { busy, trouble, submit } = creation;
  // The field of the script is on the screen before, so what is wrong with it is said here.
  const elsewhere = trouble && trouble.field !== 'folder' && trouble.field !== 'preset' ? trouble.message : undefined;
  return (
    <form
      className="form"
      aria-label={forms.welcome.steps.start}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FolderField offered={undefined} creation={creation} />
      <PresetField offered={undefined} creation={creation} />
      <TitleField />
      <FieldTrouble message={elsewhere} />
      <div className="form-buttons">
        <button type="submit" className="button primary" aria-disabled={busy}>
          {busy ? forms.creating : forms.welcome.start}
        </button>
      </div>
    </form>
  );
}
