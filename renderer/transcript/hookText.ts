import type { Dictionary } from '../text/text.ts';
import { duration } from '../text/time.ts';
import { headOfAsked } from './card/head.ts';
import type { EventOf, Fact } from './row.ts';
import { sentences, type FactText } from './sentences.ts';

/** Longer than a row is worth; the whole stands in the raw event. */
const LONGEST = { named: 80, context: 200 };

/** Which hook ran, on what, what it decided and why, and what it tells the model. */
export function hookText({ event, call }: Extract<Fact, { kind: 'hook' }>, dictionary: Dictionary): FactText {
  const { hooks: words, transcript } = dictionary;
  const { hook, on, decision, reason, context, durationMs } = event.data;
  const name = words.at(words.named(lineOf(hook, LONGEST.named)), words.points[on]);
  const about = call && headOfAsked(call, dictionary);
  const called = about ? words.about(name, about.tool, lineOf(about.what, LONGEST.named)) : name;
  const said = words.said(called, decision === undefined ? endOf(event, dictionary) : words.decisions[decision]);
  return {
    text: sentences(
      said,
      reason !== undefined && words.reason(reason),
      context !== undefined && words.tells(lineOf(context, LONGEST.context)),
      transcript.facts.took(duration(durationMs, dictionary)),
    ),
    ...(decision === 'deny' && { tone: 'danger' }),
  };
}

/** It decided nothing: how its process ended. */
function endOf(
  { data: { exitCode, signal, reason } }: EventOf<'hook/ran'>,
  { hooks: words, transcript }: Dictionary,
): string {
  if (signal !== null) return signal;
  if (exitCode !== null) return exitCode === 0 ? words.nothing : transcript.exit(exitCode);
  return reason === undefined ? words.nothing : words.noAnswer;
}

function lineOf(text: string, longest: number): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
}
