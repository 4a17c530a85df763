import { TriangleAlert } from 'lucide-react';
import { memo, useMemo, type ReactNode } from 'react';
import type { PendingApproval } from '../../../app/approval/approvals.ts';
import { useText } from '../../text/text.ts';
import { CopyButton } from './CopyButton.tsx';
import { exactOf, type ExactKind } from './exactRows.ts';
import { ExactText } from './ExactText.tsx';
import { hasUnseen, hasUnseenInLines } from '../../../app/base/visible.ts';
import { Visible } from './Visible.tsx';
import { exactlyOf, whole } from './words.ts';

/**
 * What exactly is asked about, whole, and for a nested call the program that made it. It may be megabytes, and is drawn
 * anew only when it is another.
 */
export const What = memo(({ approval }: { readonly approval: PendingApproval }) => {
  const { approval: words } = useText();
  const { subject, subjectDigest } = approval;
  const { program } = subject;
  const exactly = useMemo(() => exactlyOf(subject), [subject]);
  const kind = subject.kind === 'file' ? 'diff' : subject.kind === 'call' ? 'input' : subject.kind;
  return (
    <>
      {holdsUnseen(approval) && (
        <p className="approval-warning">
          <TriangleAlert size={14} aria-hidden /> {words.unseen}
        </p>
      )}
      <Exactly {...exactly} kind={subject.kind === 'file' ? 'diff' : 'code'} what={words.whole[kind]}>
        <Named approval={approval} />
        <Digest digest={subjectDigest} />
      </Exactly>
      {program && (
        <Exactly {...whole(program.code)} kind="code" what={words.whole.madeBy}>
          <b>{words.madeBy}</b>
        </Exactly>
      )}
    </>
  );
});

interface ExactlyProps {
  readonly text: string;
  readonly missing: number;
  readonly kind: ExactKind;
  readonly what: string;
  readonly children: ReactNode;
}

function Exactly({ text, missing, kind, what, children }: ExactlyProps) {
  const { approval: words } = useText();
  const exact = useMemo(() => exactOf(text, kind), [text, kind]);
  return (
    <>
      <div className="exact-head">
        {children}
        <span className="exact-tools">
          <span className="muted">{words.size(exact.lines, exact.characters)}</span>
          <CopyButton text={text} what={what} />
        </span>
      </div>
      {missing > 0 && <p className="approval-warning">{words.cutOff(missing)}</p>}
      {text === '' && kind === 'diff' ? (
        <p className="muted">{words.noChange}</p>
      ) : (
        <ExactText exact={exact} kind={kind} label={what} />
      )}
    </>
  );
}

/** What it is, and what it is called: a program's title and a path are not ours. */
function Named({ approval: { subject, tool } }: { readonly approval: PendingApproval }) {
  const { approval: words } = useText();
  switch (subject.kind) {
    case 'program':
      return (
        <>
          <b>{words.program}</b>
          <span className="approval-name">
            <Visible text={subject.title} />
          </span>
        </>
      );
    case 'command':
      return <b>{words.command}</b>;
    case 'file':
      return (
        <>
          <code className="approval-path">
            <Visible text={subject.path} />
          </code>
          <span className="tag wait">{subject.exists ? words.overwrites : words.newFile}</span>
        </>
      );
    case 'call':
      return (
        <b>
          <Visible text={words.input(tool)} />
        </b>
      );
  }
}

const SHOWN = 12;

function Digest({ digest }: { readonly digest: string }) {
  const { approval: words } = useText();
  return (
    <span className="approval-digest muted" title={digest}>
      {words.digest} <code>{digest.slice(0, SHOWN)}…</code>
    </span>
  );
}

function holdsUnseen({ subject, lineage, tool, justification }: PendingApproval): boolean {
  const code = [exactlyOf(subject).text, subject.program ? whole(subject.program.code).text : '', justification ?? ''];
  const names = [tool, ...lineage.map(({ title }) => title), ...namesIn(subject)];
  return code.some(hasUnseenInLines) || names.some(hasUnseen);
}

function namesIn(subject: PendingApproval['subject']): readonly string[] {
  switch (subject.kind) {
    case 'program':
      return [subject.title, subject.cwd];
    case 'command':
      return [subject.cwd];
    case 'file':
      return [subject.path];
    case 'call':
      return [];
  }
}
