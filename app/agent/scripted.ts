import type { Barriers } from './barriers.ts';
import type { Driver, DriverRun, Part } from './driver.ts';
import type { Answer } from './script.ts';

/** Streamed text comes in parts of at most this many characters. */
const PART = 24;

/** Gives the answers of a list, one per request: the offline demo, the test double, the replay of a report (agent.md). */
export function scriptedDriver(answers: readonly Answer[], barriers: Barriers): Driver {
  return {
    start: async (session) => {
      let next = session.answered;
      const run: DriverRun = {
        async *next(_request, signal) {
          const answer = answers[next];
          if (!answer) {
            yield { kind: 'end', reason: 'blocked', message: 'The script has no further answer.' };
            return;
          }
          if (answer.await !== undefined) await barriers.wait(answer.await, signal);
          yield* parts(answer);
          // Given whole: one that was cut off by a Stop is given again, as it is after a restart.
          next += 1;
        },
        close: async () => undefined,
      };
      return run;
    },
  };
}

function* parts(answer: Answer): Generator<Part> {
  const characters = Array.from(answer.text ?? '');
  for (let at = 0; at < characters.length; at += PART) {
    yield { kind: 'text', text: characters.slice(at, at + PART).join('') };
  }
  for (const { id, tool, input } of answer.calls ?? []) yield { kind: 'call', id, tool, input };
  yield { kind: 'end', reason: 'answered' };
}
