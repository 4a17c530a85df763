import { useText } from '../../../text/text.ts';
import { sectionsOf, type Section } from '../../../transcript/card/sections.ts';
import type { Call } from '../../../transcript/row.ts';
import { modeWord } from '../../../transcript/sentences.ts';
import { wordOf } from '../../../transcript/wordOf.ts';
import { Visible } from '../../approval/Visible.tsx';
import { CodeText } from '../text/CodeText.tsx';
import { DiffText } from '../text/DiffText.tsx';
import { PagedText } from '../text/PagedText.tsx';
import { Denials } from './Denials.tsx';
import { EditAsked } from './EditAsked.tsx';
import { JobOutput } from './JobOutput.tsx';
import { Labelled } from './Labelled.tsx';
import { LiveOutput } from './LiveOutput.tsx';
import { NestedCalls } from './NestedCalls.tsx';
import { ReceiptList } from './ReceiptList.tsx';
import { SocketsHint } from './SocketsHint.tsx';

/** What an opened card shows, top to bottom (sections.ts decides what). */
export function CardBody({ call }: { readonly call: Call }) {
  return (
    <div className="t-card-body">
      {sectionsOf(call).map((section, index) => (
        // A section has no name but its place; a call only ever gains some at the end.
        <SectionView key={`${section.kind}${index}`} section={section} />
      ))}
    </div>
  );
}

function SectionView({ section }: { readonly section: Section }) {
  const { transcript } = useText();
  switch (section.kind) {
    case 'code': {
      const { label, text, language } = section;
      return (
        <Labelled label={transcript.sections[label]} text={text}>
          <CodeText text={text} label={transcript.sections[label]} {...(language !== undefined && { language })} />
        </Labelled>
      );
    }
    case 'output':
      return (
        <Labelled label={transcript.sections[section.label]} text={section.text}>
          <PagedText
            text={section.text}
            side={section.label === 'told' ? 'head' : 'tail'}
            kind="output"
            label={transcript.sections[section.label]}
          />
        </Labelled>
      );
    case 'diff':
      return (
        <Labelled label={transcript.sections.diff} text={section.text}>
          <DiffText text={section.text} />
        </Labelled>
      );
    case 'live':
      return <LiveOutput callId={section.callId} />;
    case 'job-output':
      return <JobOutput jobId={section.jobId} over={section.over} />;
    case 'edit':
      return <EditAsked old={section.old} now={section.new} />;
    case 'calls':
      return <NestedCalls calls={section.calls} body={CardBody} />;
    case 'sockets':
      return <SocketsHint />;
    case 'receipt':
      return <ReceiptList receipt={section.receipt} />;
    case 'denied':
      return <Denials denied={section.denied} />;
    default:
      return <Sentence section={section} />;
  }
}

type Spoken = Extract<
  Section,
  { kind: 'folder' | 'paths' | 'lost' | 'left' | 'digest' | 'escalation' | 'cleanup-error' }
>;

/** What takes one line. */
function Sentence({ section }: { readonly section: Spoken }) {
  const dictionary = useText();
  const { transcript: words } = dictionary;
  switch (section.kind) {
    case 'folder':
      return (
        <p className="t-card-line">
          <span className="t-section-label">{words.sections.folder}</span>{' '}
          <code>
            <Visible text={section.path} />
          </code>
        </p>
      );
    case 'paths':
      return (
        <p className="t-card-line">
          <span className="t-section-label">{words.sections.paths}</span>{' '}
          <code>
            <Visible text={section.paths.join(', ')} />
          </code>
        </p>
      );
    case 'lost':
      return <p className="t-card-line wait">{words.lost(wordOf(words.ends, section.reason) ?? section.reason)}</p>;
    case 'left':
      return <p className="t-card-line">{words.left(section.left)}</p>;
    case 'digest':
      return (
        <p className="t-card-line">
          <span className="t-section-label">SHA-256</span> <code>{section.sha256}</code>
        </p>
      );
    case 'cleanup-error':
      return (
        <p className="t-card-line danger">
          {words.sections.cleanupError}: <Visible text={section.error} />
        </p>
      );
    case 'escalation':
      return (
        <div className="t-card-line">
          <p>{words.wants(modeWord(section.to, dictionary))}</p>
          <p>
            <span className="t-section-label">{words.agentSays}</span>{' '}
            <q>
              <Visible text={section.justification} />
            </q>
          </p>
        </div>
      );
  }
}
