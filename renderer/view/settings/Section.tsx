import type { ReactNode } from 'react';
import { useText } from '../../text/text.ts';

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly means?: string;
  /** Why the last change in it was not saved. */
  readonly trouble?: string | undefined;
  readonly children: ReactNode;
}

export function Section({ id, title, means, trouble, children }: SectionProps) {
  const { forms } = useText();
  return (
    <section aria-labelledby={`settings-${id}`}>
      <h2 id={`settings-${id}`}>{title}</h2>
      {means !== undefined && <p className="muted">{means}</p>}
      {children}
      {trouble !== undefined && (
        <p className="trouble" role="alert">
          {forms.settings.notSaved}: {trouble}
        </p>
      )}
    </section>
  );
}
