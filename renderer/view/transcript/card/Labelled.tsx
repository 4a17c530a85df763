import type { ReactNode } from 'react';
import type { Text } from '../../../../app/base/text.ts';
import { useText } from '../../../text/text.ts';
import { bytesOf, textOf } from '../../../transcript/texts.ts';
import { CopyButton } from '../../approval/CopyButton.tsx';

interface LabelledProps {
  readonly label: string;
  /** What the button copies, where all of it is here. */
  readonly text: string | Text;
  readonly children: ReactNode;
}

/** A part of an opened card under its name. */
export function Labelled({ label, text, children }: LabelledProps) {
  const { transcript } = useText();
  const bytes = bytesOf(text);
  const isWhole = typeof text === 'string' || (text.blob === undefined && text.dropped === 0);
  return (
    <div className="t-section" role="group" aria-label={label}>
      <p className="t-section-head">
        <span className="t-section-label">{label}</span>
        <span className="muted">{bytes === 0 ? transcript.sections.empty : transcript.bytes(bytes)}</span>
        <span className="spread" />
        {isWhole && bytes > 0 && <CopyButton text={textOf(text)} what={label} />}
      </p>
      {bytes > 0 && children}
    </div>
  );
}
