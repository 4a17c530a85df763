import type { Dictionary } from '../text/text.ts';
import { duration } from '../text/time.ts';
import { hookText } from './hookText.ts';
import { environmentName, itemName } from './itemName.ts';
import { jobEndedText, jobStartedText } from './jobText.ts';
import { otherText } from './otherText.ts';
import { policyText } from './policyText.ts';
import type { EventOf, Fact } from './row.ts';
import { modeWord, sentences, type FactText, type Names } from './sentences.ts';
import { shortId } from './shortId.ts';
import { wordOf } from './wordOf.ts';

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;

/** What a thin row says, from the events alone. */
export function factText(fact: Fact, dictionary: Dictionary, names: Names): FactText {
  const { transcript: words } = dictionary;
  switch (fact.kind) {
    case 'policy':
      return { text: policyText(fact, dictionary, names) };
    case 'asked':
      return { text: askedText(fact.event, dictionary), ...(fact.open && { tag: words.facts.waits }) };
    case 'decided':
      return { text: decidedText(fact, dictionary) };
    case 'environment-started': {
      const { environmentId, pid, mode, retained } = fact.event.data;
      const started = words.facts.environmentStarted(
        environmentName(environmentId, dictionary),
        pid,
        modeWord(mode, dictionary),
      );
      return { text: sentences(started, retained ? words.facts.keeps : words.facts.forOne) };
    }
    case 'environment-ended':
      return { text: endedText(fact, dictionary) };
    case 'cleanup-asked':
      return cleanupAskedText(fact, dictionary);
    case 'cleanup-ended':
      return cleanupEndedText(fact, dictionary);
    case 'job-started':
      return jobStartedText(fact, dictionary);
    case 'job-ended':
      return jobEndedText(fact, dictionary);
    case 'hook':
      return hookText(fact, dictionary);
    case 'stopping': {
      const text = words.facts.stopAsked(words.by[fact.event.data.by]);
      return { text, ...(!fact.over && { tag: words.facts.cancelling }) };
    }
    case 'turn-end':
      return turnEndText(fact, dictionary);
    case 'other':
      return otherText(fact.event, dictionary);
  }
}

function askedText({ data: { tool, scope } }: EventOf<'approval/asked'>, dictionary: Dictionary): string {
  const { transcript: words } = dictionary;
  const name = wordOf(words.tools, tool) ?? tool;
  return scope.to === undefined ? words.facts.askedSame(name) : words.facts.asked(name, modeWord(scope.to, dictionary));
}

function decidedText({ event }: FactOf<'decided'>, { transcript: { facts, by } }: Dictionary): string {
  const { outcome, by: who, note, reason } = event.data;
  const said = facts.outcomes[outcome](by[who]);
  return sentences(said, reason && facts.because[reason], note !== undefined && note !== '' && facts.note(note));
}

function endedText({ event, started, asked, confirmed }: FactOf<'environment-ended'>, dictionary: Dictionary): string {
  const { transcript: words } = dictionary;
  const { environmentId, reason } = event.data;
  const took = asked && confirmed ? duration(Math.max(0, confirmed.time - asked.time), dictionary) : undefined;
  const said = words.facts.environmentEnded(environmentName(environmentId, dictionary), words.ends[reason]);
  const proof = took === undefined ? words.facts.confirmed : words.facts.confirmedAfter(took);
  return sentences(said, confirmed && proof, started?.data.retained && words.facts.gone);
}

function cleanupAskedText({ event, over, ...of }: FactOf<'cleanup-asked'>, dictionary: Dictionary): FactText {
  const { transcript: words, cleanup } = dictionary;
  const { cause } = event.data;
  const text = words.facts.cleanupAsked(itemName(event, of, dictionary), cleanup.causes[cause.kind]);
  return {
    text,
    ...(!over && { tag: words.facts.cancelling }),
    ...(cause.seq !== undefined && { cause: cause.seq }),
  };
}

function cleanupEndedText({ event, asked, ...of }: FactOf<'cleanup-ended'>, dictionary: Dictionary): FactText {
  const { transcript: words, cleanup } = dictionary;
  const { cleanupId, failed, phase, attempts } = event.data;
  const what = asked ? itemName(asked, of, dictionary) : `${cleanup.cleanup} ${shortId(cleanupId)}`;
  const tried = words.facts.attempts(attempts);
  if (!failed) {
    const took = asked && duration(Math.max(0, event.time - asked.time), dictionary);
    const proof = took === undefined ? words.facts.confirmed : words.facts.confirmedAfter(took);
    return { text: sentences(words.facts.cleanupEnded(what), proof, tried) };
  }
  const said = words.facts.cleanupFailed(what, cleanup.phases[phase], failed.error);
  return { text: sentences(said, tried), tone: 'danger' };
}

function turnEndText({ event, start }: FactOf<'turn-end'>, dictionary: Dictionary): FactText {
  const { transcript: words } = dictionary;
  const { turn, reason, by, message } = event.data;
  const said = words.facts.turnEnds[reason](turn);
  const stopped = reason === 'aborted' ? `${said}${by === undefined ? '' : ` ${words.by[by]}`}.` : said;
  const took = start && words.facts.took(duration(Math.max(0, event.time - start.time), dictionary));
  return { text: sentences(stopped, message, took), ...(reason === 'error' && { tone: 'danger' }) };
}
