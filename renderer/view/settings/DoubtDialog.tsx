import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, type ReactNode } from 'react';
import type { Json } from '../../../app/base/json.ts';
import { useText } from '../../text/text.ts';
import { VisibleLine } from '../approval/Visible.tsx';
import { useDoubt, type Doubt } from './save.ts';
import './doubt.css';

/** Why nothing was written, and what the person can do. Left in any other way, it stays unwritten. */
export function DoubtDialog() {
  const asked = useDoubt((state) => state.asked);
  const cancel = useRef<HTMLButtonElement>(null);
  const { common, forms } = useText();
  if (!asked) return null;
  const { doubt, answer } = asked;
  const words = forms.settings;
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && answer('cancel')}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="doubt-backdrop" />
        <AlertDialog.Popup className="doubt" initialFocus={cancel}>
          <AlertDialog.Title className="doubt-title">
            {doubt.kind === 'malformed' ? words.notSaved : words.changedTitle}
          </AlertDialog.Title>
          <AlertDialog.Description>
            {doubt.kind === 'malformed' ? words.malformed : words.changed}
          </AlertDialog.Description>
          <Facts doubt={doubt} />
          <div className="doubt-buttons">
            <AlertDialog.Close ref={cancel} className="button">
              {common.cancel}
            </AlertDialog.Close>
            {doubt.kind === 'malformed' ? (
              <Answer onPress={() => answer('replace')}>{words.replace}</Answer>
            ) : (
              <>
                <Answer onPress={() => answer('theirs')}>{words.takeTheirs}</Answer>
                <Answer onPress={() => answer('mine')}>{words.writeMine}</Answer>
              </>
            )}
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Answer({ onPress, children }: { readonly onPress: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className="button" onClick={onPress}>
      {children}
    </button>
  );
}

function Facts({ doubt }: { readonly doubt: Doubt }) {
  const { forms } = useText();
  const words = forms.settings;
  if (doubt.kind === 'malformed')
    return (
      <>
        <p className="mono doubt-message">
          <VisibleLine text={doubt.message} />
        </p>
        <p className="muted">{words.replaceMeans}</p>
      </>
    );
  return (
    <dl className="doubt-values">
      <dt>{words.fileSays}</dt>
      <dd>
        <Value value={doubt.now} />
      </dd>
      <dt>{words.youWant}</dt>
      <dd>
        <Value value={doubt.edit.to} />
      </dd>
    </dl>
  );
}

function Value({ value }: { readonly value: Json | undefined }) {
  const { forms } = useText();
  if (value === undefined || value === null) return <span className="muted">{forms.settings.absent}</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <pre className="doubt-value">
      <VisibleLine text={text} />
    </pre>
  );
}
