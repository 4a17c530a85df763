import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Session } from '../../app/session/session.ts';
import { answer, begun, call, said, step, turnStart } from '../../app/session/talk.fixture.ts';
import { after } from '../base/after.ts';
import { headerNamed, openStore, writerOf } from './home.fixture.ts';

// A process of its own that writes a log until it is killed. Started by `startChild`; each line it prints is a fact.

export type Job = 'append' | 'hold' | 'before-model' | 'tool-runs';

export interface Child {
  readonly pid: number;
  /** The next line it prints; undefined when it has ended. */
  line(): Promise<string | undefined>;
  /** Resolves with every line it had printed and nobody has read. */
  kill(): Promise<readonly string[]>;
}

export function startChild(job: Job, sessions: string): Child {
  const child = spawn(process.execPath, [import.meta.filename, job, sessions], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout, pid } = child;
  if (!stdout || pid === undefined) throw new Error('The child did not start');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string | undefined> => {
    const next = await lines.next();
    return next.done ? undefined : String(next.value);
  };
  return { pid, line, kill: () => killed(child, line) };
}

async function killed(child: ChildProcess, line: () => Promise<string | undefined>): Promise<readonly string[]> {
  const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await exit;
  const rest: string[] = [];
  for (let next = await line(); next !== undefined; next = await line()) rest.push(next);
  return rest;
}

const open = async (sessions: string): Promise<Session> => {
  const header = headerNamed();
  const session = new Session({
    header,
    writer: await writerOf(openStore(sessions, undefined, 'i_child')),
    now: Date.now,
    onFault: (fault) => console.error(fault),
    timers: { after },
  });
  session.begin();
  return session;
};

const jobs: Readonly<Record<Job, (session: Session) => Promise<void>>> = {
  /** Batches of many sizes; prints each seq only when it is durable. */
  append: async (session) => {
    session.durable((batch) => console.log(batch.at(-1)?.seq));
    for (let batch = 0; ; batch = (batch + 1) % 7) {
      for (let event = 0; event <= batch; event += 1) session.append(said('😀'.repeat(1 + 300 * event)));
      await session.flush();
    }
  },
  hold: async (session) => {
    session.append(said('held'));
    await session.flush();
  },
  'before-model': async (session) => {
    session.append(said('do it'));
    session.append(turnStart(1, 0));
    session.append({ type: 'context/policy', data: { text: 'policy' } });
    session.append(step(1, 1, 2));
    await session.flush();
  },
  'tool-runs': async (session) => {
    session.append(said('do it'));
    session.append(turnStart(1, 0));
    session.append(step(1, 1, 1));
    session.append(answer('', 'c1', 'c2'));
    session.append(call('c1'));
    session.append(call('c2'));
    session.append(begun('c1'));
    for (let n = 0; n < 400; n += 1)
      session.append({ type: 'session/notice', data: { code: 'busy', message: `${n}` } });
    await session.flush();
  },
};

if (import.meta.main) {
  const [, , job = '', sessions = ''] = process.argv;
  const session = await open(sessions);
  await jobs[job as Job](session); // The test names one of them.
  console.log('ready');
  setInterval(() => undefined, 60_000); // Lives until it is killed.
}
