import { useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import { closeDrawer, go } from '../../store/place.ts';
import { startDemo } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import { FieldTrouble } from './FieldTrouble.tsx';

interface DemoButtonProps {
  readonly label: string;
  readonly className: string;
  /** Once the Session is there. */
  readonly onStarted?: () => void;
}

/** The offline demo, from wherever it is wished for. A second press while it starts does nothing. */
export function DemoButton({ label, className, onStarted }: DemoButtonProps) {
  const { forms } = useText();
  const [starting, setStarting] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const start = async (): Promise<void> => {
    if (starting) return;
    setStarting(true);
    setTrouble(undefined);
    try {
      const sessionId = await startDemo();
      onStarted?.();
      closeDrawer();
      go({ kind: 'session', sessionId });
    } catch (fault) {
      setTrouble(messageOf(fault));
    } finally {
      setStarting(false);
    }
  };
  return (
    <>
      <button type="button" className={className} aria-disabled={starting} onClick={() => void start()}>
        {starting ? forms.starting : label}
      </button>
      <FieldTrouble message={trouble} />
    </>
  );
}
