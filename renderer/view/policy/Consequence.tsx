import type { PolicyPair } from '../../../app/policy/fold.ts';
import type { PresetRow, Preview } from '../../store/policy.ts';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
import { changesOf } from './presets.ts';
import type { Previewed } from './usePreview.ts';

interface ConsequenceProps {
  readonly preset: PresetRow;
  readonly now: PolicyPair | undefined;
  readonly previewed: Previewed;
}

/** What will change and what will be stopped, as it is now and not as it was when the dialog opened. */
export function Consequence(props: ConsequenceProps) {
  return (
    <div className="consequence" aria-live="polite">
      <Content {...props} />
    </div>
  );
}

function Content({ preset, now, previewed }: ConsequenceProps) {
  const { policy } = useText();
  switch (previewed.kind) {
    case 'none':
      return <Changes changes={{ mode: preset.sandbox, policy: preset.approval }} now={undefined} />;
    case 'looking':
      return <p>{policy.looking}</p>;
    case 'unknown':
      return <p>{policy.unknown(previewed.message)}</p>;
    case 'known':
      return (
        <>
          <Changes changes={previewed.preview.changes} now={now} />
          <Stopping stopping={previewed.preview.stopping} />
        </>
      );
  }
}

function Changes({ changes, now }: Pick<Preview, 'changes'> & Pick<ConsequenceProps, 'now'>) {
  const dictionary = useText();
  return (
    <ul>
      {changesOf(changes, now, dictionary).map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  );
}

const SHOWN = 5;

function Stopping({ stopping }: Pick<Preview, 'stopping'>) {
  const { policy, cleanup } = useText();
  return (
    <>
      <p>{policy.stops(stopping.length)}</p>
      {stopping.length > 0 && (
        <ul className="consequence-stops">
          {stopping.slice(0, SHOWN).map(({ what, id, title, pid }) => (
            <li key={`${what} ${id} ${pid}`} className="clip">
              {cleanup.what[what]}
              {pid !== undefined && ` · ${policy.pid(pid)}`}
              {isNamed(what) && (
                <>
                  {' · '}
                  <Visible text={title} />
                </>
              )}
            </li>
          ))}
          {stopping.length > SHOWN && <li className="muted">{policy.more(stopping.length - SHOWN)}</li>}
        </ul>
      )}
    </>
  );
}

/** A program's process is called by what it is; a command, say, by its text. */
function isNamed(what: Preview['stopping'][number]['what']): boolean {
  return what !== 'environment' && what !== 'program';
}
