import { expect, it } from 'vitest';
import type { Core } from '../coreShape.ts';
import { liveWork, liveWorkLines } from './liveWork.ts';
import { textsOf } from './text.ts';

const en = textsOf('en', 'en');

type Listed = Pick<Core, 'sessions' | 'jobs' | 'cleanups'>;

function coreWith(
  sessions: readonly object[],
  { jobs = [], cleanups = [] }: { readonly jobs?: readonly object[]; readonly cleanups?: readonly object[] } = {},
): Listed {
  // Only what is asked for is here.
  return {
    sessions: { list: async () => ({ sessions }) },
    jobs: { list: async () => ({ jobs }) },
    cleanups: { list: async () => ({ cleanups }) },
  } as unknown as Listed;
}

it('lists the Sessions at work, the jobs of any, and the endings of those that are not', async () => {
  const core = coreWith(
    [
      { sessionId: 'a', title: 'Alpha', state: 'running' },
      { sessionId: 'b', title: 'Beta', state: 'waiting' },
      { sessionId: 'c', title: 'Gamma', state: 'idle' },
      { sessionId: 'd', title: '', state: 'failed' },
    ],
    {
      jobs: [
        { sessionId: 'c', title: 'Dev server', state: 'running' },
        { sessionId: 'c', title: 'sleep 60', state: 'ending' },
        { sessionId: 'c', title: 'Tests', state: 'ended' },
      ],
      cleanups: [
        { sessionId: 'a', title: 'of a running one', phase: 'terminating' },
        { sessionId: 'c', title: 'sleep 60', phase: 'killing' },
        { sessionId: 'c', title: 'ended', phase: 'released' },
      ],
    },
  );
  expect(liveWorkLines(await liveWork(core), en).split('\n')).toEqual([
    '• Alpha: running',
    '• Beta: waits for an approval',
    '• Job: Dev server',
    '• Cleanup: sleep 60',
  ]);
});

it('says how many more there are than a dialog can show', async () => {
  const sessions = Array.from({ length: 11 }, (_, n) => ({ sessionId: `s${n}`, title: '', state: 'running' }));
  const lines = liveWorkLines(await liveWork(coreWith(sessions)), en).split('\n');
  expect(lines).toHaveLength(9);
  expect([lines[0], lines[8]]).toEqual(['• Untitled Session: running', '• and 3 more']);
});

it('5-f: draws the hidden characters of a title as escapes', async () => {
  const core = coreWith([{ sessionId: 'a', title: 'safe\u202e\u200b', state: 'running' }]);
  expect(liveWorkLines(await liveWork(core), en)).toBe('• safe⟨U+202E⟩⟨U+200B⟩: running');
});
