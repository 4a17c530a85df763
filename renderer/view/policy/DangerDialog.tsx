import { AlertDialog } from '@base-ui/react/alert-dialog';
import { TriangleAlert } from 'lucide-react';
import { useRef } from 'react';
import type { SessionId } from '../../../app/base/id.ts';
import type { PolicyPair } from '../../../app/policy/fold.ts';
import type { PresetRow } from '../../store/policy.ts';
import { useText } from '../../text/text.ts';
import { PressButton } from '../approval/PressButton.tsx';
import { useArmed } from '../approval/useArmed.ts';
import { Consequence } from './Consequence.tsx';
import { wordsOf } from './presets.ts';
import { usePreview, type Previewed } from './usePreview.ts';

interface DangerDialogProps {
  readonly preset: PresetRow;
  readonly now: PolicyPair | undefined;
  readonly sessionId: SessionId | undefined;
  /** What the choice applies to. */
  readonly scope: 'session' | 'new' | 'default';
  /** The element that gets the focus when it is over. */
  readonly returnTo: string;
  /** Where it is drawn. */
  readonly popups: HTMLElement | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asked on the way to full access. Whatever way it is left but by its confirm button, nothing changes. */
export function DangerDialog(props: DangerDialogProps) {
  const { preset, now, sessionId, scope, returnTo, popups, onConfirm, onClose } = props;
  const dictionary = useText();
  const { common, policy } = dictionary;
  const { label } = wordsOf(preset, dictionary);
  const previewed = usePreview(sessionId, preset.name);
  const token = useArmed(shownBy(preset, previewed));
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal container={popups}>
        <AlertDialog.Backdrop className="danger-backdrop" />
        <AlertDialog.Popup
          className="danger-dialog"
          initialFocus={cancel}
          finalFocus={() => document.getElementById(returnTo)}
        >
          <AlertDialog.Title className="danger-title">
            <TriangleAlert size={16} aria-hidden="true" />
            {policy.danger.title[scope](label)}
          </AlertDialog.Title>
          <AlertDialog.Description className="danger-means">
            {policy.danger.means} {policy.danger[preset.approval]}
          </AlertDialog.Description>
          <Consequence preset={preset} now={now} previewed={previewed} />
          <p className="muted">{policy.danger.only[scope]}</p>
          <div className="danger-buttons">
            <AlertDialog.Close ref={cancel} className="button" onKeyDown={ignoreHeld}>
              {common.cancel}
            </AlertDialog.Close>
            <PressButton className="button danger" token={token} enter onPress={onConfirm}>
              <TriangleAlert size={14} aria-hidden="true" />
              <span>{policy.danger.confirm[scope](label)}</span>
            </PressButton>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** What a person decides by; while it is not known there is nothing to decide. */
function shownBy(preset: PresetRow, previewed: Previewed): string | undefined {
  return previewed.kind === 'looking' ? undefined : JSON.stringify([preset, previewed]);
}

/** The Enter that chose the entry may still be held: it answers nothing here. */
function ignoreHeld(event: React.KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
