import { unavailable, type Decided } from './outcome.ts';
import type { PendingApproval, Question } from './question.ts';

/** Port: something that answers without being a door, such as the prompt of a command line. */
export interface Answerer {
  readonly door: string;
  /** Undefined passes the question on. `signal` is aborted when it is settled elsewhere. */
  answer(approval: PendingApproval, signal: AbortSignal): Promise<Answer | undefined>;
}

export interface Answer {
  readonly decision: 'allow-once' | 'deny';
  readonly note?: string;
}

/** Asks one after the other, until one decides. Who throws or talks nonsense has not consented: nobody else is asked. */
export async function askAnswerers(answerers: readonly Answerer[], question: Question): Promise<Decided | undefined> {
  for (const answerer of answerers) {
    if (question.settled.aborted) return undefined;
    const answer = await answerOf(answerer, question);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

async function answerOf(answerer: Answerer, question: Question): Promise<Decided | undefined> {
  let answer: unknown;
  try {
    answer = await answerer.answer(question.view(), question.settled);
  } catch {
    return unavailable('answerer-failed');
  }
  if (answer === undefined) return undefined;
  if (!isAnswer(answer)) return unavailable('answerer-failed');
  const outcome = answer.decision === 'allow-once' ? 'allowed-once' : 'rejected';
  const note = answer.note?.trim() ? { note: answer.note } : {};
  return { outcome, by: 'person', door: answerer.door, ...note };
}

/** The types promise as much, but what a person's prompt returns is looked at before it grants anything. */
function isAnswer(answer: unknown): answer is Answer {
  if (typeof answer !== 'object' || answer === null || !('decision' in answer)) return false;
  if (answer.decision !== 'allow-once' && answer.decision !== 'deny') return false;
  return !('note' in answer) || answer.note === undefined || typeof answer.note === 'string';
}
