import { TriangleAlert } from 'lucide-react';
import { useText } from '../../text/text.ts';
import type { Creation } from './useCreation.ts';
import type { Trouble } from './wish.ts';

interface RefusedFolderProps {
  readonly trouble: Trouble;
  readonly creation: Creation;
}

/** Why this folder wants a person's word, and the place to give it; another folder needs another word. */
export function RefusedFolder({ trouble: { message, confirm = [] }, creation }: RefusedFolderProps) {
  const { forms } = useText();
  const reasons = confirm.map((code) => Object.entries(forms.refused.codes).find(([known]) => known === code)?.[1]);
  return (
    <div className="refused" role="alert">
      <p>
        <TriangleAlert size={14} aria-hidden="true" /> <strong>{forms.refused.title}</strong>
      </p>
      {reasons.every((reason) => reason !== undefined) ? (
        reasons.map((reason) => <p key={reason}>{reason}</p>)
      ) : (
        <p>{message}</p>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={creation.confirmed}
          onChange={(event) => creation.confirm(event.target.checked)}
        />
        {forms.refused.agree}
      </label>
    </div>
  );
}
