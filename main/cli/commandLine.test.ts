import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../app/base/id.ts';
import { RequestError } from '../../app/contract/reply.ts';
import type { Handlers } from '../../app/contract/requests.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import type { Core } from '../coreShape.ts';
import { MemorySource } from '../pushes.fixture.ts';
import { runCommandLine } from './commandLine.ts';
import { controlVerb } from './control.ts';
import { doctorVerb } from './doctor.ts';
import { runVerb } from './run.ts';
import { sessionsVerb } from './sessions.ts';
import { showVerb } from './show.ts';
import { verifyVerb } from './verify.ts';

const verbs = [runVerb, controlVerb, sessionsVerb, showVerb, verifyVerb, doctorVerb];
const A = 's_a' as SessionId;
const B = 's_b' as SessionId;
type Draft = Pick<SessionEvent, 'type' | 'data'>;

/** A core whose one Session gets `events` with its prompt, and then is idle for `reason`. */
function scripted(events: readonly Draft[], reason: Awaited<ReturnType<Handlers['session.idle']>>['reason']) {
  const source = new MemorySource();
  const created: unknown[] = [];
  const prompts: string[] = [];
  let closes = 0;
  const core: Partial<Core> = {
    onPush: (listener) => source.onPush(listener),
    readEvents: (...at) => source.readEvents(...at),
    close: async () => void (closes += 1),
    attend: () => {
      throw new Error('Only control is an answerer');
    },
  };
  const settings: Partial<Core['settings']> = { get: async () => ({ revision: 'r', settings: {} }) };
  const sessions: Partial<Core['sessions']> = {
    create: async (input) => {
      created.push(input);
      return { sessionId: A };
    },
    prompt: async (input) => {
      prompts.push(input.text);
      for (const event of events) source.commit(A, event);
      return { seq: 0 };
    },
    idle: async () => ({ reason }),
  };
  // Only what `run` asks for; anything else would be a type error of the fake at run time, and the test fails.
  return { core: { ...core, sessions, settings } as Core, source, created, prompts, closes: () => closes };
}

/** A core that answers nothing but what is named. */
function only(sessions: Partial<Core['sessions']>): Partial<Core> {
  return { sessions: sessions as Core['sessions'] };
}

async function call(argv: readonly string[], core?: Partial<Core>, signal = new AbortController().signal) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const told = Promise.all([text(stdout), text(stderr)]);
  const openCore = async (): Promise<Core> => {
    if (!core) throw new Error('No core was expected');
    return { home: '/home/data', close: async () => undefined, ...core } as Core;
  };
  const code = await runCommandLine(verbs, argv, { stdin, stdout, stderr, cwd: '/here', openCore, signal });
  stdout.end();
  stderr.end();
  const [out, err] = await told;
  return { code, out, err };
}

const start: Draft = { type: 'turn/start', data: { turn: 1, prompt: 0 } };
const said: Draft = { type: 'assistant/message', data: { turn: 1, step: 1, text: 'Hello.', calls: [] } };
const unavailable: Draft = {
  type: 'approval/decided',
  data: { id: 'a_1' as never, outcome: 'unavailable', by: 'system', reason: 'no-answerer' },
};

describe('the command line', () => {
  it.each([
    [[]],
    [['nonsense']],
    [['--nonsense']],
    [['run']],
    [['run', 'one', 'two']],
    [['run', 'x', '--nonsense']],
    [['run', 'x', '--workspace']],
    [['control', 'x']],
    [['sessions', 'x']],
    [['show']],
    [['show', 'a', 'b']],
    [['verify']],
    [['doctor', '--json=5']],
  ])('%j is wrong usage: 64, told on stderr, and nothing is opened', async (argv) => {
    const { code, out, err } = await call(argv);
    expect([code, out]).toEqual([64, '']);
    expect(err).toMatch(/^gatehouse: \S/);
    expect(err).toContain('gatehouse ');
  });

  it.each([['--help'], ['-h'], ...verbs.map((verb) => [verb.name, '--help'])])(
    '%s %s prints help on stdout, exits 0, and opens nothing',
    async (...argv) => {
      const { code, out, err } = await call(argv.filter((word) => word !== undefined));
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('gatehouse ');
    },
  );

  it('tells a refusal in one line with its code and exits 1', async () => {
    const doctor = () => Promise.reject(new RequestError('storage', 'The disk is full'));
    expect(await call(['doctor'], { doctor })).toEqual({
      code: 1,
      out: '',
      err: 'gatehouse: The disk is full. (storage)\n',
    });
  });

  it('refuses an id that is none with the code of the contract', async () => {
    const { code, err } = await call(['verify', '../x'], {});
    expect(code).toBe(1);
    expect(err).toContain('(invalid-input)');
  });
});

describe('run', () => {
  it.each([
    ['completed', [said], 0],
    ['error', [said], 1],
    ['aborted', [said], 1],
    ['max-tokens', [said], 1],
    ['interrupted', [said], 1],
    ['blocked', [said], 2],
    ['completed', [unavailable, said], 2],
    ['error', [unavailable], 1],
  ] as const)('%s exits by its reason', async (reason, events, code) => {
    const { core, closes } = scripted(events, reason);
    expect((await call(['run', 'Hi'], core)).code).toBe(code);
    expect(closes()).toBeGreaterThan(0);
  });

  it('tells the story of the run on stdout, complete, before it ends', async () => {
    const end: Draft = { type: 'turn/end', data: { turn: 1, reason: 'completed' } };
    const tool: Draft[] = [
      { type: 'tool/call', data: { turn: 1, step: 1, callId: 'c1' as never, tool: 'bash', input: { command: 'ls' } } },
      { type: 'tool/result', data: { callId: 'c1' as never, tool: 'bash', status: 'ok', content: 'a.txt\nb.txt' } },
    ];
    const { core } = scripted([start, ...tool, said, end], 'completed');
    const { out, err } = await call(['run', 'Hi'], core);
    expect(out).toBe('* bash {"command":"ls"}\n  ok\n  a.txt\n  b.txt\nHello.\nTurn 1 completed\n');
    expect(err).toBe('');
  });

  it('prints every event as a JSON line with --json, of children too', async () => {
    const child: Draft = {
      type: 'session/delegated',
      data: { callId: 'c1' as never, childId: B, title: 'T', background: false },
    };
    const { core, source } = scripted([start, child], 'completed');
    const prompted = core.sessions.prompt;
    const sessions = {
      ...core.sessions,
      prompt: async (input: Parameters<typeof prompted>[0]) => {
        const answer = await prompted(input);
        source.chunk(B);
        return answer;
      },
    };
    const { out } = await call(['run', 'Hi', '--json'], { ...core, sessions });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { sessionId: string; event: SessionEvent });
    // Two Sessions keep no order between them.
    const of = (id: SessionId) => lines.filter(({ sessionId }) => sessionId === id).map(({ event }) => event.type);
    expect(of(A)).toEqual(['turn/start', 'session/delegated']);
    expect(of(B)).toEqual(['assistant/chunk']);
  });

  it('takes paths relative to where it was called, and needs no prompt with a script', async () => {
    const { core, created, prompts } = scripted([], 'completed');
    await call(['run', '--agent', 'script:s.json', '--workspace', 'w', '--preset', 'read-only'], core);
    await call(['run', '--', '--help'], core);
    expect(created).toEqual([
      { workspace: '/here/w', preset: 'read-only', agent: 'script:/here/s.json' },
      { workspace: '/here' },
    ]);
    expect(prompts).toEqual(['Go', '--help']);
  });

  it('closes the core at once when it is told to end, and says that the run failed', async () => {
    const { core } = scripted([said], 'completed');
    const idle = Promise.withResolvers<{ reason: 'aborted' }>();
    const end = new AbortController();
    const sessions = {
      ...core.sessions,
      idle: () => {
        end.abort();
        return idle.promise;
      },
    };
    const close = async () => idle.resolve({ reason: 'aborted' });
    expect((await call(['run', 'Hi'], { ...core, sessions, close }, end.signal)).code).toBe(1);
  });

  it('draws control characters of an agent as escapes', async () => {
    const hostile: Draft = {
      type: 'assistant/message',
      data: { turn: 1, step: 1, text: 'a\u001b[2Jb\u202ec\td', calls: [] },
    };
    const { core } = scripted([hostile], 'completed');
    expect((await call(['run', 'Hi'], core)).out).toBe('a\\u{1b}[2Jb\\u{202e}c\td\n');
  });
});

describe('the reading verbs', () => {
  const events = Array.from({ length: 1200 }, (_, seq) => ({ ...said, seq, time: 0 }) as SessionEvent);
  const row = { sessionId: A, title: 'T', workspace: '/w', state: 'idle', preset: 'read-only', updated: 0 } as const;

  it('show prints every event of a long log, and asks for nothing but events', async () => {
    const read: Core['sessions']['events'] = async ({ from, to }) => ({ events: events.slice(from, to) });
    const { code, out } = await call(['show', 's_a', '--json'], only({ events: read }));
    const seqs = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as SessionEvent).seq);
    expect([code, seqs]).toEqual([0, events.map((event) => event.seq)]);
  });

  it('sessions follows the cursor to the last page', async () => {
    const list: Core['sessions']['list'] = async ({ cursor }) =>
      cursor === undefined
        ? { sessions: [row], cursor: 'more' }
        : { sessions: [{ ...row, sessionId: B, damaged: true as const }] };
    const { code, out } = await call(['sessions'], only({ list }));
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['SESSION', 'STATE'],
      ['s_a', 'idle'],
      ['s_b', 'damaged'],
      [''],
    ]);
  });

  it('verify exits 1 when there are problems and names them', async () => {
    const problems = [{ seq: 4, rule: 'approval' as const, message: 'never asked' }];
    const verify = async () => ({ ok: false, checked: 9, problems });
    const { code, out } = await call(['verify', 's_a'], only({ verify }));
    expect([code, out]).toEqual([1, 'event 4: approval: never asked\n1 problems in 9 events\n']);
  });

  it('doctor exits 1 when something is missing and says what to do', async () => {
    const checks = [
      { name: 'git', ok: true, message: 'found' },
      { name: 'bwrap', ok: false, message: 'not found', remedy: 'Install bubblewrap.' },
    ];
    const { code, out } = await call(['doctor'], { doctor: async () => ({ checks }) });
    expect([code, out]).toEqual([1, 'ok      git: found\nMISSING bwrap: not found\n        Install bubblewrap.\n']);
  });
});
