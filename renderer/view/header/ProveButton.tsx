import { ShieldCheck } from 'lucide-react';
import { openDrawer } from '../../store/place.ts';
import { useText } from '../../text/text.ts';

/** Beside what is in force: tries whether it holds. */
export function ProveButton() {
  const { proof } = useText();
  return (
    <button type="button" className="chip" onClick={() => openDrawer('proof')}>
      <ShieldCheck size={14} aria-hidden="true" />
      {proof.prove}
    </button>
  );
}
