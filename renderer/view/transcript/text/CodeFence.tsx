import { isValidElement, type ReactNode } from 'react';
import { useText } from '../../../text/text.ts';
import { CopyButton } from '../../approval/CopyButton.tsx';
import { Highlighted } from './Highlighted.tsx';

/** Code between fences, in the colours of the language that is named there. */
export function CodeFence({ children }: { readonly children?: ReactNode }) {
  const { transcript } = useText();
  const { code, language } = codeIn(children);
  return (
    <div className="t-fence">
      <p className="t-fence-head">
        <span className="muted">{language}</span>
        <CopyButton text={code} what={transcript.copyCode} />
      </p>
      <pre className="t-code" tabIndex={0} role="group" aria-label={language ?? transcript.sections.program}>
        <code>
          <Highlighted code={code} {...(language !== undefined && { language })} />
        </code>
      </pre>
    </div>
  );
}

/** What react-markdown makes of a fence: a `code` element within the `pre`, with the language as its class. */
function codeIn(children: ReactNode): { readonly code: string; readonly language?: string } {
  if (!isValidElement<{ readonly className?: string; readonly children?: ReactNode }>(children)) return { code: '' };
  const { className = '', children: inner } = children.props;
  const code = typeof inner === 'string' ? inner.replace(/\n$/, '') : '';
  const language = /language-(\S+)/.exec(className)?.[1];
  return { code, ...(language !== undefined && { language }) };
}
