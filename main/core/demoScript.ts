import type { Answer } from '../../app/agent/script.ts';

export const DEMO_TITLE = 'Offline demo';
export const DEMO_PROMPT = 'Show me what you may do, and what you may not.';

/** Below the ten minutes that a program may take, so that one that nobody stops ends by itself. */
const TICKS = 1_150;

/**
 * What the offline demo says and does. The tools are real, and nothing here knows what a person decides: each text is true
 * whether the question was allowed or denied, and whether the long program was stopped by a switch, by Stop or by nobody.
 */
export const DEMO: readonly Answer[] = [
  {
    text:
      'Hello! I am a script: no model and no network, but the tools and the sandbox are real. First I write notes.md in ' +
      'my workspace, and start counting in a program that is kept.',
    calls: [
      { id: 'notes', tool: 'write', input: { path: 'notes.md', content: '# Notes\n\nWritten by the offline demo.\n' } },
      { id: 'count', tool: 'run_code', input: { title: 'Start counting', code: 'let count = 1; count' } },
    ],
  },
  {
    text: 'In my workspace I may write. Now I try the same outside of it. Open the call below to see what came of it.',
    calls: [{ id: 'outside', tool: 'bash', input: { command: 'echo "Written by the demo" > ../outside.txt' } }],
  },
  {
    text:
      'For a single call I may ask for more than the Mode allows. I will ask you now. Read it, then press Allow once or ' +
      'Deny.',
    calls: [
      {
        id: 'asked',
        tool: 'bash',
        input: {
          command: 'echo "Written by the demo" > ../outside.txt',
          escalate: {
            to: 'danger-full-access',
            justification: 'The demo wants to show a file outside of its workspace.',
          },
        },
      },
    ],
  },
  {
    text:
      'Whatever you decided holds for that one call alone. What is allowed runs in a process of its own, so my program ' +
      'still has its variable, unless you have switched the preset meanwhile. I count on.',
    calls: [{ id: 'again', tool: 'run_code', input: { title: 'Count on', code: 'count += 1' } }],
  },
  {
    text:
      'Now I start a long program, and in it a command that does not want to end. While they run, switch the preset to ' +
      'Read only, and watch both being ended. The Stop button ends them too; after that, send any message and I go on.',
    calls: [{ id: 'long', tool: 'run_code', input: { title: 'Count for ten minutes', code: longProgram() } }],
  },
  {
    text: 'The long program is over. Is my variable still there, and may I still write? I try both.',
    calls: [
      { id: 'left', tool: 'run_code', input: { title: 'Look for the variable', code: 'typeof count' } },
      { id: 'later', tool: 'write', input: { path: 'later.md', content: 'May I still write?\n' } },
    ],
  },
  {
    text:
      'That was all. If you switched, nothing that ran under the old Mode went on: the program was stopped, its variables ' +
      'went with it, and from then on the new Mode decided. Every step is an event with a number, in the order it ' +
      'happened. Now start a Session of your own, in a folder of yours.',
  },
];

/** Deaf to a polite end, the command takes seconds to be ended: a cleanup that a person can watch. */
function longProgram(): string {
  return `const command = 'trap "" TERM; echo "I stay"; while true; do sleep 1; done';
tools.bash({ command, timeoutMs: 600000 }).catch(() => undefined);
for (let tick = 1; tick <= ${TICKS}; tick += 1) {
  console.log('tick', tick);
  await new Promise((resolve) => setTimeout(resolve, 500));
}`;
}
