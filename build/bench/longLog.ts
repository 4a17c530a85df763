import { join } from 'node:path';
import type { CallId, SessionId } from '../../app/base/id.ts';
import type { Text } from '../../app/base/text.ts';
import type { SessionDraft } from '../../app/session/events.ts';
import { LOG_VERSION, type Header } from '../../app/session/header.ts';
import { Session } from '../../app/session/session.ts';
import { after } from '../../main/base/after.ts';
import { loadLocks } from '../../main/native.ts';
import { JsonlStore } from '../../main/session/jsonlStore.ts';

export interface LongLog {
  /** The data folder of a program that does not run. */
  readonly home: string;
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  readonly turns: number;
  /** Goes on where the log ends: a script needs `answersIn(turns)` answers before the first that is given. */
  readonly agent?: string;
  /** What the agent says in the last turn, in characters; else as much as in any other. */
  readonly lastAnswer?: number;
}

export const EVENTS_PER_TURN = 10;

export function answersIn(turns: number): number {
  return 2 * turns;
}

/** A log as years of work would leave it, written by the store itself: of so many turns, each with one command. */
export async function writeLongLog({ home, lastAnswer, turns, ...log }: LongLog): Promise<void> {
  const session = await openSession(home, log);
  try {
    session.begin();
    for (let turn = 1; turn <= turns; turn += 1) {
      const text = turn === turns && lastAnswer !== undefined ? await session.keep(proseOf(lastAnswer)) : saidIn(turn);
      for (const draft of turnOf(turn, session.length, text)) session.append(draft);
      // What waits to be written is held in memory.
      if (turn % 200 === 0) await session.flush();
    }
  } finally {
    await session.close();
  }
}

async function openSession(home: string, { id, ...log }: Pick<LongLog, 'id' | 'title' | 'workspace' | 'agent'>) {
  const holder = { instance: 'long-log', pid: process.pid, startTime: '', since: Date.now() };
  const store = new JsonlStore({ folder: join(home, 'sessions'), locks: loadLocks(), holder, now: Date.now });
  // Ids are opaque: any that the store takes for a name will do.
  const header: Header = { version: LOG_VERSION, id: id as SessionId, createdAt: Date.now(), ...log };
  const writer = await store.openForWriting(header, new AbortController().signal);
  if (writer.kind !== 'writer') throw new Error('The log is open elsewhere');
  return new Session({ header, writer, now: Date.now, timers: { after }, onFault: fail });
}

function turnOf(turn: number, seq: number, text: string | Text): readonly SessionDraft[] {
  const callId = `c${turn}` as CallId; // The driver's, and so any text.
  const tool = 'bash';
  const command = `npm test -- --filter part-${turn}`;
  const output = outputOf(turn);
  const facts = { exitCode: 0, signal: null, timedOut: false, cancelled: false, left: 0, durationMs: 900 + turn };
  const kept = { text: output, bytes: output.length, dropped: 0 };
  return [
    { type: 'user/message', data: { text: `Part ${turn}: go on with the next one.`, origin: 'person', queued: false } },
    { type: 'turn/start', data: { turn, prompt: seq } },
    { type: 'step/start', data: { turn, step: 1, through: seq + 1 } },
    { type: 'assistant/message', data: { turn, step: 1, text, calls: [{ callId, tool, input: { command } }] } },
    { type: 'tool/call', data: { turn, step: 1, callId, tool, input: { command } } },
    {
      type: 'tool/started',
      data: { callId, tool, mode: 'workspace-write', effect: 'write', cwd: '/', roots: ['/'] },
    },
    {
      type: 'tool/result',
      data: { callId, tool, status: 'ok', content: output, facts: { ...facts, output: kept } },
    },
    { type: 'step/start', data: { turn, step: 2, through: seq + 6 } },
    {
      type: 'assistant/message',
      data: { turn, step: 2, text: `Part ${turn} is **done**, see \`src/part-${turn}.ts\`.`, calls: [] },
    },
    { type: 'turn/end', data: { turn, reason: 'completed' } },
  ];
}

/** As agents answer: paragraphs, a list, every few turns some code. */
function saidIn(turn: number): string {
  const list = ['reads the file', 'finds `next()`', `changes line ${turn}`].map((item) => `- ${item}`).join('\n');
  const code = turn % 5 === 0 ? `\n\n\`\`\`ts\n${codeOf(turn)}\n\`\`\`` : '';
  return `${sentence(turn)} ${sentence(turn + 3)}\n\n${list}\n\n${sentence(turn + 7)}${code}`;
}

function codeOf(turn: number): string {
  return Array.from(
    { length: 12 },
    (_, at) => `export const value${at} = next(${turn}, '${at}'); // ${sentence(at)}`,
  ).join('\n');
}

function outputOf(turn: number): string {
  return Array.from({ length: 23 }, (_, at) => `ok ${at + 1} - part ${turn} ${sentence(at + turn)}`).join('\n');
}

function proseOf(length: number): string {
  const paragraph = Array.from({ length: 8 }, (_, at) => sentence(at)).join(' ');
  return `${paragraph}\n\n`.repeat(Math.ceil(length / (paragraph.length + 2))).slice(0, length);
}

const WORDS = 'the gate opens once and then it closes again because nobody has asked for more than one file'.split(' ');

function sentence(seed: number): string {
  return `${WORDS.map((_, at) => WORDS[(seed * 7 + at * 5) % WORDS.length])
    .slice(0, 9 + (seed % 6))
    .join(' ')}.`;
}

function fail(fault: unknown): void {
  throw fault;
}
