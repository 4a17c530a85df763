import { useConnection } from '../../store/connection.ts';
import { useText } from '../../text/text.ts';
import { Visible } from '../approval/Visible.tsx';
import { Section } from './Section.tsx';

/** Which host runs, and why that one. */
export function About() {
  const { forms } = useText();
  const words = forms.settings;
  const host = useConnection((state) => state.host);
  return (
    <Section id="about" title={words.about}>
      {host && (
        <>
          <p>{words.version(host.version)}</p>
          <p>{words.hosts[host.host]}</p>
          {host.reason !== undefined && (
            <p className="muted">
              <Visible text={host.reason} />
            </p>
          )}
        </>
      )}
    </Section>
  );
}
