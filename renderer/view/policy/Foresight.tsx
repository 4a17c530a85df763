import type { SessionId } from '../../../app/base/id.ts';
import type { PolicyPair } from '../../../app/policy/fold.ts';
import { useText } from '../../text/text.ts';
import { sentences } from '../../transcript/sentences.ts';
import { changesOf } from './presets.ts';
import { usePreview, type Previewed } from './usePreview.ts';

interface ForesightProps {
  readonly sessionId: SessionId;
  readonly now: PolicyPair | undefined;
  /** Undefined: the one in force is pointed at. */
  readonly preset: string | undefined;
}

/** Below the list: what the entry that is pointed at would change and stop. */
export function Foresight({ sessionId, now, preset }: ForesightProps) {
  const previewed = usePreview(sessionId, preset);
  return (
    <p className="preset-foresight" role="status">
      <Sentence previewed={previewed} now={now} />
    </p>
  );
}

function Sentence({ previewed, now }: { readonly previewed: Previewed } & Pick<ForesightProps, 'now'>) {
  const dictionary = useText();
  const { policy } = dictionary;
  switch (previewed.kind) {
    case 'none':
      return <>{policy.current}</>;
    case 'looking':
      return <>{policy.looking}</>;
    case 'unknown':
      return <>{policy.unknown(previewed.message)}</>;
    case 'known': {
      const { changes, stopping } = previewed.preview;
      return <>{sentences(...changesOf(changes, now, dictionary), policy.stopsShort(stopping.length))}</>;
    }
  }
}
