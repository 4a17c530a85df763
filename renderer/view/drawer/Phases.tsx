import type { EndPhase } from '../../../app/sandbox/provider.ts';
import { useText } from '../../text/text.ts';

const ORDER: readonly EndPhase[] = ['asked', 'terminating', 'killing', 'exited', 'released'];

/** How far an ending is, as five steps; the tag beside it says the same in words. */
export function Phases({ phase, failed }: { readonly phase: EndPhase; readonly failed: boolean }) {
  const { cleanup } = useText();
  const reached = ORDER.indexOf(phase);
  return (
    <div className="phases" role="img" aria-label={cleanup.step(reached + 1, ORDER.length)}>
      {ORDER.map((step, at) => (
        <span key={step} className={stateOf(at, reached, failed)} />
      ))}
    </div>
  );
}

function stateOf(at: number, reached: number, failed: boolean): string {
  if (at > reached) return 'phase';
  if (at < reached) return 'phase done';
  if (failed) return 'phase failed';
  return reached === ORDER.length - 1 ? 'phase done' : 'phase now';
}
