import { useText } from '../../text/text.ts';
import { useDraft, write, type AgentChoice } from './draft.ts';
import { FieldTrouble } from './FieldTrouble.tsx';
import { FIELDS, type Creation } from './useCreation.ts';

/** Who works in the Session: what this version knows, and that it knows no other. */
export function AgentField({ creation }: { readonly creation: Creation }) {
  const { forms } = useText();
  const script = useDraft((draft) => draft.agent === 'script');
  return (
    <fieldset className="form-row agents">
      <legend className="form-label">{forms.agent}</legend>
      <Choice agent="demo" label={forms.agents.demo} means={forms.agents.demoMeans} creation={creation} />
      <Choice agent="script" label={forms.agents.script} means={forms.agents.scriptMeans} creation={creation} />
      {script && <ScriptPath creation={creation} />}
      <p className="muted">{forms.noModels}</p>
    </fieldset>
  );
}

interface ChoiceProps {
  readonly agent: AgentChoice;
  readonly label: string;
  readonly means: string;
  readonly creation: Creation;
}

function Choice({ agent, label, means, creation }: ChoiceProps) {
  const chosen = useDraft((draft) => draft.agent === agent);
  return (
    <label className="agent-choice">
      <input
        type="radio"
        name="new-agent"
        value={agent}
        checked={chosen}
        aria-describedby={`new-agent-${agent}`}
        onChange={() => {
          write({ agent });
          creation.settle('script');
        }}
      />
      <span>
        {label}
        <span className="muted agent-means" id={`new-agent-${agent}`}>
          {means}
        </span>
      </span>
    </label>
  );
}

function ScriptPath({ creation: { trouble, settle } }: { readonly creation: Creation }) {
  const { forms } = useText();
  const script = useDraft((draft) => draft.script);
  const wrong = trouble?.field === 'script' ? trouble.message : undefined;
  return (
    <div className="script-path">
      <label className="muted" htmlFor={FIELDS.script}>
        {forms.scriptPath}
      </label>
      <input
        id={FIELDS.script}
        className="field mono"
        spellCheck={false}
        autoComplete="off"
        placeholder={forms.scriptExample}
        value={script}
        aria-invalid={wrong !== undefined}
        aria-describedby="new-script-trouble"
        onChange={(event) => {
          write({ script: event.target.value });
          settle('script');
        }}
      />
      <FieldTrouble id="new-script-trouble" message={wrong} />
    </div>
  );
}
