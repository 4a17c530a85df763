import type { Dictionary } from '../text/text.ts';
import { headOfAsked, whatOf } from './card/head.ts';
import { jobName } from './jobText.ts';
import type { EventOf, Fact } from './row.ts';
import { shortId } from './shortId.ts';
import { wordOf } from './wordOf.ts';

type Item = EventOf<'cleanup/asked'>['data'];
/** What is here of the call or the job whose process it is. */
type Known = Pick<Extract<Fact, { kind: 'cleanup-asked' }>, 'call' | 'job'>;

/** What is being ended, as a sentence names it. */
export function itemName({ data }: EventOf<'cleanup/asked'>, known: Known, dictionary: Dictionary): string {
  const name = nameOf(data, known, dictionary);
  const { pid } = data;
  return pid === undefined ? name : `${name} (${dictionary.transcript.facts.processOf(pid)})`;
}

export function environmentName(id: string, { transcript: words }: Dictionary): string {
  return words.environment(shortId(id));
}

function nameOf({ what, id }: Item, { call, job }: Known, dictionary: Dictionary): string {
  switch (what) {
    case 'environment':
    case 'program':
      // A program's process is its Environment, and is called by its id.
      return environmentName(id, dictionary);
    case 'job':
      return jobName(job?.data ?? { jobId: id }, dictionary);
    case 'hook':
      return hookName(id, call, dictionary);
    default: {
      const { transcript: words, cleanup } = dictionary;
      const told = call && whatOf(call.data.tool, call.data.input);
      return told ? words.facts.callNamed(cleanup.what[what], told) : `${cleanup.what[what]} ${shortId(id)}`;
    }
  }
}

/** A hook has the id of the call that it is about, or else the name of the point at which it runs. */
function hookName(id: string, call: Known['call'], dictionary: Dictionary): string {
  const { hooks: words, cleanup } = dictionary;
  if (!call) return words.at(cleanup.what.hook, wordOf(words.points, id) ?? shortId(id));
  const { tool, what } = headOfAsked(call, dictionary);
  return words.about(cleanup.what.hook, tool, what);
}
