import { useText } from '../../text/text.ts';
import { AgentField } from './AgentField.tsx';
import { enterSession } from './enterSession.ts';
import { FieldTrouble } from './FieldTrouble.tsx';
import { FolderField } from './FolderField.tsx';
import { PresetField } from './PresetField.tsx';
import { TitleField } from './TitleField.tsx';
import { useCreation } from './useCreation.ts';
import './forms.css';

/** `workspace`: the folder that somebody asked for, as by a second start of the program. */
export function NewSession({ workspace }: { readonly workspace: string | undefined }) {
  const { forms } = useText();
  const creation = useCreation(workspace, enterSession);
  const { busy, trouble, submit } = creation;
  return (
    <div className="page">
      <h1>{forms.newSession}</h1>
      <form
        className="form"
        aria-label={forms.newSession}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <FolderField offered={workspace} creation={creation} />
        <PresetField offered={workspace} creation={creation} />
        <AgentField creation={creation} />
        <TitleField />
        <FieldTrouble message={trouble && trouble.field === undefined ? trouble.message : undefined} />
        <div className="form-buttons">
          <button type="submit" className="button primary" aria-disabled={busy}>
            {busy ? forms.creating : forms.create}
          </button>
        </div>
      </form>
    </div>
  );
}
