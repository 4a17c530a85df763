import { useMemo, useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import { request } from '../../api.ts';
import { useConnection } from '../../store/connection.ts';
import { useSessions } from '../../store/sessions.ts';
import { useText } from '../../text/text.ts';
import { shortPath } from '../header/names.ts';
import { folderOf, useDraft, write } from './draft.ts';
import { FieldTrouble } from './FieldTrouble.tsx';
import { RefusedFolder } from './RefusedFolder.tsx';
import { FIELDS, type Creation } from './useCreation.ts';

interface FolderFieldProps {
  readonly offered: string | undefined;
  readonly creation: Creation;
}

/** Where the Session works: typed, chosen in the host's dialog, or one that was used before. */
export function FolderField({ offered, creation }: FolderFieldProps) {
  const { forms } = useText();
  const folder = useDraft((draft) => folderOf(draft, offered));
  const canPick = useConnection((state) => state.host?.canPickFolder === true);
  const [unpicked, setUnpicked] = useState<string>();
  const { trouble, settle } = creation;
  const wrong = trouble?.field === 'folder' ? trouble : undefined;
  const take = (path: string): void => {
    write({ folder: path, over: offered ?? '' });
    settle('folder');
    setUnpicked(undefined);
  };
  const pick = (): void => {
    request('host.pickFolder', {}).then(
      ({ path }) => path !== undefined && take(path),
      (fault: unknown) => setUnpicked(messageOf(fault)),
    );
  };
  return (
    <div className="form-row">
      <label className="form-label" htmlFor={FIELDS.folder}>
        {forms.folder}
      </label>
      <div className="form-pair">
        <input
          id={FIELDS.folder}
          className="field mono"
          spellCheck={false}
          autoComplete="off"
          placeholder={forms.folderExample}
          value={folder}
          aria-invalid={wrong !== undefined}
          aria-describedby="new-folder-means new-folder-trouble"
          onChange={(event) => take(event.target.value)}
        />
        {canPick && (
          <button type="button" className="button" onClick={pick}>
            {forms.chooseFolder}
          </button>
        )}
      </div>
      <p className="muted" id="new-folder-means">
        {forms.folderMeans}
      </p>
      <FieldTrouble id="new-folder-trouble" message={wrong?.confirm ? undefined : (wrong?.message ?? unpicked)} />
      {wrong?.confirm && <RefusedFolder trouble={wrong} creation={creation} />}
      <Recent onTake={take} />
    </div>
  );
}

const MOST = 5;

function Recent({ onTake }: { readonly onTake: (path: string) => void }) {
  const { forms } = useText();
  const rows = useSessions((state) => state.rows);
  const home = useConnection((state) => state.host?.userHome);
  const folders = useMemo(() => {
    const latest = Array.from(rows.values()).toSorted((a, b) => b.updated - a.updated);
    return Array.from(new Set(latest.map(({ workspace }) => workspace).filter(Boolean))).slice(0, MOST);
  }, [rows]);
  if (folders.length === 0) return null;
  return (
    <div className="recent" role="group" aria-label={forms.recent}>
      <span className="muted">{forms.recent}</span>
      {folders.map((path) => (
        <button key={path} type="button" className="chip mono clip" title={path} onClick={() => onTake(path)}>
          {shortPath(path, home)}
        </button>
      ))}
    </div>
  );
}
