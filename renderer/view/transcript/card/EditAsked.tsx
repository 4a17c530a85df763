import { lazy, Suspense } from 'react';
import type { Text } from '../../../../app/base/text.ts';
import { useText } from '../../../text/text.ts';
import { textOf } from '../../../transcript/texts.ts';
import { Labelled } from './Labelled.tsx';

const ChangeAsked = lazy(async () => ({ default: (await import('./ChangeAsked.tsx')).ChangeAsked }));

interface EditAskedProps {
  readonly old: string | Text;
  readonly now: string | Text;
}

/** An edit that was not made, as the agent asked for it: the file itself is not in the log. */
export function EditAsked({ old, now }: EditAskedProps) {
  const { transcript } = useText();
  return (
    <Labelled label={transcript.sections.asked} text={now}>
      <Suspense fallback={null}>
        <ChangeAsked old={textOf(old)} now={textOf(now)} />
      </Suspense>
    </Labelled>
  );
}
