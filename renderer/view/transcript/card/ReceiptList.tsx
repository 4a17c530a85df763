import { Fragment } from 'react';
import type { Receipt } from '../../../../app/tool/result.ts';
import { useText, type Dictionary } from '../../../text/text.ts';
import { modeWord } from '../../../transcript/sentences.ts';
import { Visible } from '../../approval/Visible.tsx';
import { useStartTimes } from '../../controls/useStartTimes.ts';

/** What an approved call left behind as proof that it was one time (policy.md, One-time escalation). */
export function ReceiptList({ receipt }: { readonly receipt: Receipt }) {
  const dictionary = useText();
  const { sections } = dictionary.transcript;
  const started = useStartTimes()(receipt.startTime);
  return (
    <div className="t-section" role="group" aria-label={sections.receipt} data-receipt={receipt.approvalId}>
      <p className="t-section-head">
        <span className="t-section-label">{sections.receipt}</span>
      </p>
      <dl className="t-receipt">
        {lines(receipt, started, dictionary).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <Visible text={value} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

function lines(
  receipt: Receipt,
  started: string | undefined,
  dictionary: Dictionary,
): readonly (readonly [string, string])[] {
  const { receipt: words } = dictionary.transcript;
  const { approvalId, environmentId, pid, path, before, after, mode, releasedBeforeReturn, standing } = receipt;
  const all: readonly (readonly [string, string | undefined])[] = [
    [words.approval, approvalId],
    [words.mode, modeWord(mode, dictionary)],
    [words.environment, environmentId],
    [words.process, pid === undefined ? undefined : words.processIs(pid, started)],
    [words.path, path],
    [words.before, before],
    [words.after, after],
    [words.exit, exitOf(receipt, dictionary)],
    [words.released, releasedBeforeReturn ? words.yes : words.no],
    [words.standing, words[standing]],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function exitOf({ exitCode, signal }: Receipt, { transcript }: Dictionary): string | undefined {
  if (signal !== null) return signal;
  return exitCode === null ? undefined : transcript.exit(exitCode);
}
