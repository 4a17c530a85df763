import type { HookDecision, HookPoint } from '../../app/hook/events.ts';
import { plain, strong } from '../transcript/emphasis.ts';

/** What a hook did, in a row of the transcript. */
export const hooksEn = {
  points: {
    PreToolUse: 'before a call',
    PostToolUse: 'after a call',
    SessionStart: 'at the start of the Session',
    UserPromptSubmit: 'at a message',
    Stop: 'at the end of the turn',
  } satisfies Record<HookPoint, string>,
  at: (hook: string, point: string) => `${plain(hook)} (${point})`,
  named: (hook: string) => `Hook “${hook}”`,
  about: (hook: string, tool: string, what: string) =>
    `${hook}, ${plain(tool)}${what === '' ? '' : ` “${plain(what)}”`}`,
  said: (hook: string, said: string) => `${hook}: ${strong(said)}.`,
  decisions: {
    allow: 'nothing against it',
    deny: 'denied',
    ask: 'asks a person',
  } satisfies Record<HookDecision, string>,
  nothing: 'decided nothing',
  noAnswer: 'no answer',
  reason: (reason: string) => `Reason: “${plain(reason)}”`,
  tells: (context: string) => `It tells the agent: “${plain(context)}”`,
};
