import type { ReactElement, ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeFence } from './CodeFence.tsx';
import { ImageText } from './ImageText.tsx';
import { LinkText } from './LinkText.tsx';

/** Reading Markdown takes far longer than drawing it, and rows come and go as one scrolls: what was read is kept a while. */
const kept = new Map<string, ReactElement>();
const MOST_KEPT = 400;

/** So long is read at once in one task of the window; then others come first. */
const SLICE_MS = 8;
let spent = 0;

/** At once, when it was read before or there is time; undefined: ask later. */
export function formattedNow(text: string): ReactElement | undefined {
  const known = kept.get(text);
  if (known || spent >= SLICE_MS) return known;
  return read(text);
}

const waiting = new Set<() => void>();

/** As soon as there is time; undefined when nobody waits for it any more. */
export async function formattedLater(text: string, signal: AbortSignal): Promise<ReactElement | undefined> {
  for (;;) {
    if (signal.aborted) return undefined;
    const now = formattedNow(text);
    if (now) return now;
    await new Promise<void>((resolve) => waiting.add(resolve));
  }
}

function read(text: string): ReactElement {
  const start = performance.now();
  if (spent === 0) setTimeout(rest, 0);
  const element = ReactMarkdown({
    children: text,
    remarkPlugins: PLUGINS,
    components: COMPONENTS,
    urlTransform: asItIs,
  });
  kept.set(text, element);
  if (kept.size > MOST_KEPT) for (const oldest of kept.keys()) if (kept.size > MOST_KEPT / 2) kept.delete(oldest);
  spent += performance.now() - start;
  return element;
}

/** A task has ended: whoever waits may go on, in the order they came. */
function rest(): void {
  spent = 0;
  for (const resolve of Array.from(waiting)) {
    waiting.delete(resolve);
    resolve();
  }
}

const PLUGINS = [remarkGfm];

/** No address is followed or fetched, so none has to be taken out: a person sees what stands there. */
function asItIs(url: string): string {
  return url;
}

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
