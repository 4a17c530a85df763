import { resolve } from 'node:path';
import type { Push } from '../../app/contract/pushes.ts';
import { RequestError } from '../../app/contract/reply.ts';
import type { Output } from '../../app/contract/requests.ts';
import type { Core } from '../coreShape.ts';
import { logFault } from '../base/logFault.ts';
import { Outlet } from '../outlet.ts';
import { DoorPushes } from '../pushes.ts';
import { connect, withCore } from './client.ts';
import { print } from './print.ts';
import { tell } from './story.ts';
import { EXIT, parse, UsageError, type ExitCode, type Io, type Verb } from './verb.ts';

const options = {
  workspace: { type: 'string' },
  preset: { type: 'string' },
  agent: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const runVerb: Verb = {
  name: 'run',
  summary: 'run one prompt in a new Session, with nobody to answer approvals',
  usage: `gatehouse run ["<prompt>"] --agent script:<file> [--workspace <folder>] [--preset <name>] [--json]

  --workspace <folder>  what the agent works on; default: this folder
  --preset <name>       default: the one in the settings
  --agent script:<file>  scripted answers (docs/control.md); the prompt may then be left out
  --json                print events as JSON lines instead of a story

Nobody answers approvals: a call that asks for one ends as unavailable, and the run as blocked. Nothing is started while the
settings cannot be read.
Exit codes: 0 completed, 1 failed, 2 blocked, 64 wrong usage.`,

  async run(argv, io) {
    const { values, positionals } = parse(argv, options);
    const task = { ...values, prompt: promptOf(positionals, values.agent) };
    return withCore(io, (core) => drive(core, task, io));
  },
};

interface Task {
  readonly prompt: string;
  readonly workspace?: string | undefined;
  readonly preset?: string | undefined;
  readonly agent?: string | undefined;
  readonly json?: boolean | undefined;
}

async function drive(core: Core, task: Task, io: Io): Promise<ExitCode> {
  const outlet = new Outlet(io.stdout);
  const onFault = (fault: unknown): void => logFault(io.stderr, fault);
  let blocked = false;
  const deliver = async (json: string): Promise<void> => {
    // The text was made of a Push one moment ago.
    const push = JSON.parse(json) as Push;
    blocked ||= isUnavailable(push);
    if (push.push === 'notice') await print(io.stderr, [`gatehouse: ${push.data.message}`]);
    const line = task.json ? toJsonLine(push) : toStory(push, sessionId);
    if (line !== undefined) await outlet.send(line);
  };
  const pushes = new DoorPushes({ source: core, deliver, onFault });
  const client = connect(core, io, (id, seq) => pushes.follow(id, seq));
  let sessionId: string | undefined;
  try {
    const { problem } = await client.request('settings.get', {});
    if (problem)
      throw new RequestError('conflict', `Nothing is started while the settings cannot be read. ${problem.message}`);
    ({ sessionId } = await client.request('session.create', sessionOf(task, io.cwd)));
    await client.request('session.prompt', { sessionId, text: task.prompt });
    const { reason } = await client.request('session.idle', { sessionId });
    await core.close();
    await pushes.settled();
    await outlet.flushed();
    return exitOf(reason, blocked);
  } finally {
    pushes.close();
  }
}

function promptOf(positionals: readonly string[], agent: string | undefined): string {
  const [prompt, ...more] = positionals;
  if (more.length > 0) throw new UsageError('The prompt is one argument: put it in quotes');
  if (prompt !== undefined) return prompt;
  if (agent?.startsWith('script:')) return 'Go';
  throw new UsageError('Missing the prompt');
}

/** Paths of a command line are relative to where it was typed; through a door they are absolute. */
function sessionOf(task: Task, cwd: string): object {
  const script = /^script:(.+)$/s.exec(task.agent ?? '')?.[1];
  return {
    workspace: resolve(cwd, task.workspace ?? '.'),
    ...(task.preset !== undefined && { preset: task.preset }),
    ...(task.agent !== undefined && { agent: script === undefined ? task.agent : `script:${resolve(cwd, script)}` }),
  };
}

/** An approval that nobody could answer makes the run blocked, whatever the agent made of it: never a success. */
function exitOf(reason: Output<'session.idle'>['reason'], blocked: boolean): ExitCode {
  if (reason === 'blocked' || (reason === 'completed' && blocked)) return EXIT.blocked;
  return reason === 'completed' ? EXIT.completed : EXIT.failed;
}

function isUnavailable(push: Push): boolean {
  if (push.push !== 'event' || push.data.event.type !== 'approval/decided') return false;
  return push.data.event.data.outcome === 'unavailable';
}

function toJsonLine(push: Push): string | undefined {
  return push.push === 'event' ? JSON.stringify(push.data) : undefined;
}

function toStory(push: Push, sessionId: string | undefined): string | undefined {
  if (push.push !== 'event') return undefined;
  const told = tell(push.data.event);
  const isChild = sessionId !== undefined && push.data.sessionId !== sessionId;
  return told !== undefined && isChild ? `[${push.data.sessionId}] ${told}` : told;
}
