import type { Denied } from '../../../../app/sandbox/denied.ts';
import { useText } from '../../../text/text.ts';
import { modeWord } from '../../../transcript/sentences.ts';
import { Visible } from '../../approval/Visible.tsx';

/** What the sandbox did not allow, and how sure that is. */
export function Denials({ denied }: { readonly denied: readonly Denied[] }) {
  const dictionary = useText();
  const { transcript: words } = dictionary;
  return (
    <div className="t-section" role="group" aria-label={words.sections.denied}>
      <p className="t-section-head">
        <span className="t-section-label">{words.sections.denied}</span>
      </p>
      <ul className="t-denials">
        {denied.map(({ operation, path, mode, certain }, index) => (
          // One call may be denied the same thing twice: a denial has no name but its place.
          <li key={index}>
            <span className={`tag ${certain ? 'danger' : 'wait'}`}>
              {certain ? words.codes.denied : words.maybeDenied}
            </span>
            <Visible
              text={
                path === undefined
                  ? words.deniedWithout(operation, modeWord(mode, dictionary))
                  : words.deniedAt(operation, path, modeWord(mode, dictionary))
              }
            />
            <span className="muted">{certain ? words.certain : words.guessed}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
