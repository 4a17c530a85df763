import type { Dictionary } from '../text/text.ts';
import type { PolicyFact } from './row.ts';
import { byWord, modeWord, sentences, type Names } from './sentences.ts';
import { wordOf } from './wordOf.ts';

/** What was chosen, by whom, what was in force before where that is known, and what it ends. */
export function policyText(fact: PolicyFact, dictionary: Dictionary, names: Names): string {
  const { facts } = dictionary.transcript;
  const { preset, mode, policy, was } = fact;
  const by = byWord((preset ?? mode ?? policy)?.data ?? {}, dictionary, names);
  const modeIs = mode && change(was.mode, mode.data.mode, (name) => modeWord(name, dictionary));
  const policyIs = policy && change(was.policy, policy.data.policy, (name) => policyWord(name, dictionary));
  if (preset) {
    const chosen = facts.preset(change(was.preset, preset.data.preset, names.preset), by);
    return sentences(chosen, stopping(fact, dictionary));
  }
  if (modeIs !== undefined && policyIs !== undefined)
    return sentences(facts.both(modeIs, policyIs, by), stopping(fact, dictionary));
  if (modeIs !== undefined) return sentences(facts.mode(modeIs, by), stopping(fact, dictionary));
  return policyIs === undefined ? '' : facts.policy(policyIs, by);
}

function change(was: string | undefined, now: string, word: (name: string) => string): string {
  return was === undefined || was === now ? word(now) : `${word(was)} → ${word(now)}`;
}

function policyWord(policy: string, { common }: Dictionary): string {
  return wordOf(common.policies, policy) ?? policy;
}

/** Only the endings that the log gives this as their cause. */
function stopping({ ending }: PolicyFact, dictionary: Dictionary): string | undefined {
  const mode = ending[0]?.data.mode;
  return mode && dictionary.transcript.facts.stopping(ending.length, modeWord(mode, dictionary));
}
