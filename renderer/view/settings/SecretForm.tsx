import { useState } from 'react';
import type { SecretRow } from '../../../app/contract/host.ts';
import { useText } from '../../text/text.ts';
import type { useSecrets } from './useSecrets.ts';

interface SecretFormProps {
  readonly row: SecretRow;
  readonly store: ReturnType<typeof useSecrets>['store'];
  readonly onDone: (was: 'stored' | 'cancelled') => void;
}

/** Where the value is not protected, nothing is stored before the person has agreed to that. */
export function SecretForm({ row: { name, protection }, store, onDone }: SecretFormProps) {
  const { common, forms } = useText();
  const words = forms.settings;
  const [value, setValue] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [lacks, setLacks] = useState(false);
  const unprotected = protection !== 'keychain';
  const submit = async (): Promise<void> => {
    if (unprotected && !agreed) return setLacks(true);
    if (await store({ name, value, ...(unprotected && { agreed: true }) })) onDone('stored');
  };
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label className="form-row">
        <span className="form-label">{words.value}</span>
        <input
          className="field"
          type="password"
          autoComplete="new-password"
          required
          maxLength={4096}
          value={value}
          onChange={(event) => setValue(event.target.value)}
          autoFocus
        />
      </label>
      {unprotected && (
        <Agreement
          agreed={agreed}
          lacks={lacks}
          onChange={(next) => {
            setAgreed(next);
            setLacks(false);
          }}
        />
      )}
      <div className="form-buttons">
        <button type="submit" className="button primary">
          {words.save}
        </button>
        <button type="button" className="button" onClick={() => onDone('cancelled')}>
          {common.cancel}
        </button>
      </div>
    </form>
  );
}

interface AgreementProps {
  readonly agreed: boolean;
  /** It was tried without. */
  readonly lacks: boolean;
  readonly onChange: (agreed: boolean) => void;
}

function Agreement({ agreed, lacks, onChange }: AgreementProps) {
  const { forms } = useText();
  return (
    <>
      <label className="check warned">
        <input type="checkbox" checked={agreed} onChange={(event) => onChange(event.target.checked)} />
        {forms.settings.agree}
      </label>
      {lacks && (
        <p className="trouble" role="alert">
          {forms.settings.mustAgree}
        </p>
      )}
    </>
  );
}
