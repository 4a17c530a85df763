import { useText } from '../../text/text.ts';
import { AgentField } from '../forms/AgentField.tsx';
import type { Creation } from '../forms/useCreation.ts';

export function AgentStep({ creation }: { readonly creation: Creation }) {
  const { forms } = useText();
  return (
    <>
      <p className="muted">{forms.welcome.agent}</p>
      <div className="form">
        <AgentField creation={creation} />
      </div>
    </>
  );
}
