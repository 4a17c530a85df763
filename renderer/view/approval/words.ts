import type { PendingApproval } from '../../../app/approval/approvals.ts';
import type { Subject } from '../../../app/approval/events.ts';
import type { Text } from '../../../app/base/text.ts';
import type { Ending } from '../../store/approvals.ts';
import type { Dictionary } from '../../text/text.ts';
import { visibleText } from '../../../app/base/visible.ts';

/** What a person is asked, as a question. */
export function titleOf({ subject, tool, scope }: PendingApproval, { approval: words }: Dictionary): string {
  const access = scope.to ? words.access[scope.to] : '';
  if (subject.kind === 'call') return words.title.call(visibleText(tool), access);
  if (subject.kind === 'file') return words.title[subject.exists ? 'file' : 'newFile'](access);
  return words.title[subject.kind](access);
}

/** What waits, in few words: "one program, full access". */
export function shortOf({ subject, tool, scope }: PendingApproval, { approval: words }: Dictionary): string {
  const what = subject.kind === 'call' ? words.short.call(visibleText(tool)) : words.short[subject.kind];
  return scope.to ? words.short.with(what, words.shortAccess[scope.to]) : what;
}

/** The Session that asks, by its own title. */
export function sessionOf({ lineage }: PendingApproval, { common }: Dictionary): string {
  return visibleText(lineage.at(-1)?.title || common.untitled);
}

/** What exactly is asked about. In the queue it is whole; where it ever is not, that is said (`missing`, bytes). */
export interface Exactly {
  readonly text: string;
  readonly missing: number;
}

export function exactlyOf(subject: Subject): Exactly {
  switch (subject.kind) {
    case 'program':
      return whole(subject.code);
    case 'command':
      return whole(subject.command);
    case 'file':
      return whole(subject.diff);
    case 'call':
      return whole(JSON.stringify(subject.input, null, 2));
  }
}

export function whole(text: string | Text): Exactly {
  if (typeof text === 'string') return { text, missing: 0 };
  return { text: text.text, missing: text.bytes - new TextEncoder().encode(text.text).length };
}

/** How it ended, in a sentence or two. `here`: the answer was given in this window. */
export function endOf(ending: Ending | undefined, here: boolean, { approval: words }: Dictionary): string {
  if (!ending) return words.unknownEnd;
  const { outcome, by, reason } = ending;
  if (outcome === 'allowed-once') return answered(words.allowed, here, words);
  if (outcome === 'rejected' && by === 'person') return answered(words.denied, here, words);
  if (outcome === 'rejected') return words.withdrawn(words.reasons['policy-never']);
  return words.withdrawn(reason ? words.reasons[reason] : words.notStored);
}

function answered(what: string, here: boolean, words: Dictionary['approval']): string {
  return here ? what : words.elsewhere(what);
}
