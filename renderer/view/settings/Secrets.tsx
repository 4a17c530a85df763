import { useState } from 'react';
import type { SecretRow } from '../../../app/contract/host.ts';
import { useText } from '../../text/text.ts';
import { SecretForm } from './SecretForm.tsx';
import { Section } from './Section.tsx';
import { useSecrets } from './useSecrets.ts';

/** What Gatehouse keeps secret, and how well that is. No value ever comes back here. */
export function Secrets() {
  const { forms } = useText();
  const words = forms.settings;
  const { rows, trouble, ...change } = useSecrets();
  return (
    <Section id="secrets" title={words.secrets} means={words.secretsMean}>
      {trouble !== undefined && (
        <p className="trouble" role="alert">
          {trouble}
        </p>
      )}
      {rows.map((row) => (
        <Row key={row.name} row={row} {...change} />
      ))}
    </Section>
  );
}

type RowProps = { readonly row: SecretRow } & Pick<ReturnType<typeof useSecrets>, 'store' | 'remove'>;

function Row({ row, store, remove }: RowProps) {
  const { forms } = useText();
  const words = forms.settings;
  const [editing, setEditing] = useState(false);
  const [done, setDone] = useState('');
  const { name, stored, protection, reason } = row;
  return (
    <div className="secret" data-secret={name}>
      <div className="setting-line">
        <strong>{words.secretNames[name]}</strong>
        <span className={stored ? 'tag run' : 'tag'}>{stored ? words.stored : words.notStored}</span>
        <span className="spread" />
        <button
          type="button"
          className="button"
          aria-expanded={editing}
          onClick={() => {
            setEditing(!editing);
            setDone('');
          }}
        >
          {stored ? words.replaceSecret : words.setSecret}
        </button>
        {stored && (
          <button
            type="button"
            className="button"
            onClick={() => void remove(name).then((gone) => setDone(gone ? words.secretRemoved : ''))}
          >
            {words.remove}
          </button>
        )}
      </div>
      <p className="muted">{words.protection[protection]}</p>
      {reason !== undefined && <p className="muted">{reason}</p>}
      {editing && (
        <SecretForm
          row={row}
          store={store}
          onDone={(was) => {
            setEditing(false);
            setDone(was === 'stored' ? words.secretStored : '');
          }}
        />
      )}
      <p role="status">{done}</p>
    </div>
  );
}
