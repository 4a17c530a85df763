import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeFence } from './CodeFence.tsx';
import { LinkText } from './LinkText.tsx';
import { ImageText } from './ImageText.tsx';
import './markdown.css';

/** Markdown as the agent wrote it. Nothing in it is HTML, nothing is fetched, and no link is followed by itself. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} skipHtml={false} urlTransform={(url) => url}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

const PLUGINS = [remarkGfm];

interface Inside {
  readonly children?: ReactNode;
}

// Titles within an answer are no titles of the window.
const title = (level: number) =>
  function Title({ children }: Inside) {
    return <p className={`markdown-title level-${level}`}>{children}</p>;
  };

const COMPONENTS: Components = {
  h1: title(1),
  h2: title(2),
  h3: title(3),
  h4: title(4),
  h5: title(4),
  h6: title(4),
  a: ({ href, children }) => <LinkText url={href ?? ''}>{children}</LinkText>,
  img: ({ alt, src }) => <ImageText alt={alt ?? ''} url={typeof src === 'string' ? src : ''} />,
  pre: ({ children }) => <CodeFence>{children}</CodeFence>,
  table: ({ children }) => (
    <div className="markdown-table" tabIndex={0} role="group">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span className="markdown-check">{checked ? '☑' : '☐'} </span>,
  section: ({ children }) => <div className="footnotes">{children}</div>,
};
