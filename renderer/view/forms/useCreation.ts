import { useState } from 'react';
import type { SessionId } from '../../../app/base/id.ts';
import { useConnection } from '../../store/connection.ts';
import { createSession } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import { folderOf, forgetDraft, useDraft } from './draft.ts';
import { useDefaultPreset } from './useDefaultPreset.ts';
import { inputOf, lackOf, troubleOf, type Field, type Trouble, type Wish } from './wish.ts';

export interface Creation {
  readonly busy: boolean;
  readonly trouble: Trouble | undefined;
  /** Whether the person has confirmed what `trouble` asks for. It holds for this folder and no other. */
  readonly confirmed: boolean;
  readonly confirm: (given: boolean) => void;
  /** Of the field that is being changed: what was said about it is not true any more. */
  readonly settle: (field: Field) => void;
  readonly submit: () => void;
}

/** The element of each field: what is wrong gets the focus. */
export const FIELDS: Readonly<Record<Field, string>> = {
  folder: 'new-folder',
  preset: 'new-preset',
  script: 'new-script',
};

/** Makes the Session of the draft. Nothing typed is lost before it is there. */
export function useCreation(offered: string | undefined, onCreated: (sessionId: SessionId) => void): Creation {
  const { forms } = useText();
  const userHome = useConnection((state) => state.host?.userHome);
  const draft = useDraft();
  const folder = folderOf(draft, offered);
  const fallback = useDefaultPreset(folder);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const [granted, setGranted] = useState<{ readonly folder: string; readonly codes: readonly string[] }>();
  const codes = granted?.folder === folder ? granted.codes : [];

  const tell = (found: Trouble): void => {
    setTrouble(found);
    if (found.field !== undefined) document.getElementById(FIELDS[found.field])?.focus();
  };
  const submit = (): void => {
    if (busy) return;
    const wish: Wish = { ...draft, folder, preset: draft.preset || fallback.name, userHome, confirmed: codes };
    const lack = lackOf(wish);
    if (lack) return tell({ field: lack.field, message: forms.lacks[lack.lack] });
    setBusy(true);
    createSession(inputOf(wish))
      .then(
        (sessionId) => {
          forgetDraft();
          onCreated(sessionId);
        },
        (fault: unknown) => tell(troubleOf(fault)),
      )
      .finally(() => setBusy(false));
  };
  const settle = (field: Field): void => {
    if (trouble?.field === field) setTrouble(undefined);
  };
  const confirm = (given: boolean): void => setGranted(given ? { folder, codes: trouble?.confirm ?? [] } : undefined);
  const confirmed = trouble?.confirm?.every((code) => codes.includes(code)) ?? false;
  return { busy, trouble, confirmed, confirm, settle, submit };
}
