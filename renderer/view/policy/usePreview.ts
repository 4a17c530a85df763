import { useEffect, useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import type { SessionId } from '../../../app/base/id.ts';
import { useMachine } from '../../store/machine.ts';
import { useOpened } from '../../store/opened.ts';
import { previewPreset, type Preview } from '../../store/policy.ts';

export type Previewed =
  | { readonly kind: 'none' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'known'; readonly preview: Preview }
  | { readonly kind: 'unknown'; readonly message: string };

/** The pointer passes over entries on its way; only where it rests is asked. */
const RESTS_MS = 120;

/** What the preset would change and stop, asked again whenever something of the Session starts or ends. */
export function usePreview(sessionId: SessionId | undefined, preset: string | undefined): Previewed {
  const [found, setFound] = useState<{ readonly preset: string; readonly previewed: Previewed }>();
  const environments = useOpened(({ opened }) => (opened.kind === 'open' ? opened.folded.environments : undefined));
  const calls = useOpened(({ opened }) => (opened.kind === 'open' ? opened.folded.calls : undefined));
  const jobs = useMachine((state) => state.jobs);
  const policy = useOpened(({ opened }) => (opened.kind === 'open' ? opened.folded.policy : undefined));
  useEffect(() => {
    if (sessionId === undefined || preset === undefined) return undefined;
    let over = false;
    const tell = (previewed: Previewed): void => {
      if (!over) setFound({ preset, previewed });
    };
    const ask = (): void => {
      previewPreset(sessionId, preset).then(
        (preview) => tell({ kind: 'known', preview }),
        (fault: unknown) => tell({ kind: 'unknown', message: messageOf(fault) }),
      );
    };
    const timer = setTimeout(ask, RESTS_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [sessionId, preset, environments, calls, jobs, policy]);
  if (sessionId === undefined || preset === undefined) return { kind: 'none' };
  return found?.preset === preset ? found.previewed : { kind: 'looking' };
}
