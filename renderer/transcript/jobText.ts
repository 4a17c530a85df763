import type { JobOutcome } from '../../app/job/events.ts';
import type { Dictionary } from '../text/text.ts';
import { duration } from '../text/time.ts';
import type { EventOf, Fact } from './row.ts';
import { sentences, type FactText } from './sentences.ts';
import { shortId } from './shortId.ts';

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;

export function jobStartedText({ event }: FactOf<'job-started'>, dictionary: Dictionary): FactText {
  const { jobs: words } = dictionary;
  const { pid, paths = [] } = event.data;
  const started = words.started(jobName(event.data, dictionary), pid);
  return { text: sentences(started, paths.length > 0 && words.writes(paths.join(', '))) };
}

export function jobEndedText({ event, started }: FactOf<'job-ended'>, dictionary: Dictionary): FactText {
  const { jobs: words } = dictionary;
  const said = words.ended(jobName(started?.data ?? event.data, dictionary), endOf(event, dictionary));
  const ran = started && words.ran(duration(Math.max(0, event.time - started.time), dictionary));
  return {
    text: sentences(said, ran),
    ...(isTrouble(event) && { tone: 'danger' }),
    ...(started && { cause: started.seq }),
  };
}

/** By its title, or by its id where that is all that is here. */
export function jobName(
  { jobId, title }: { readonly jobId: string; readonly title?: string },
  { jobs: words }: Dictionary,
): string {
  return title === undefined ? words.unnamed(shortId(jobId)) : words.named(title);
}

/** How it ended, in a word or two. */
export function endOf({ data: { outcome, exitCode, signal } }: EventOf<'job/ended'>, dictionary: Dictionary): string {
  const { jobs: words, transcript } = dictionary;
  if (outcome !== 'ended') return words.ends[outcome];
  if (signal !== null) return signal;
  return exitCode === null ? words.ends.ended : transcript.exit(exitCode);
}

/** It did not end as it should have, and nobody has ended it. */
export function isTrouble({ data: { outcome, exitCode, signal } }: EventOf<'job/ended'>): boolean {
  return isLimit(outcome) || (outcome === 'ended' && (signal !== null || (exitCode ?? 0) !== 0));
}

function isLimit(outcome: JobOutcome): boolean {
  return outcome.endsWith('-limit');
}
