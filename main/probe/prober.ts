import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { readAnswer, type Answer, type Probe } from '../../app/sandbox/probe.ts';
import type { Enforcement, Unavailable } from '../../app/sandbox/provider.ts';
import { after } from '../base/after.ts';
import { parseJson } from '../base/parseJson.ts';
import type { ConfinedProcess, Confiner } from '../sandbox/confined.ts';
import { openListeners } from './listeners.ts';
import { triesOf, type Task, type Try } from './tries.ts';

export interface ProberParts {
  readonly provider: Confiner;
  /** Node, and the variables that make it one. */
  readonly runtime: { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> };
  /** The folder of the scripts that run inside sandboxes; part of every sandbox's runtime. */
  readonly scripts: string;
  readonly userHome: string;
}

export interface Probed {
  readonly kind: 'probed';
  readonly mode: Mode;
  /** What confines here; `none` where the Mode asks for nothing. */
  readonly provider: string;
  readonly enforcement: Enforcement;
  readonly probes: readonly Probe[];
}

/** What the process in the sandbox is told. */
interface Order {
  readonly tries: readonly Task[];
  readonly name: string;
}

interface SweptSession {
  readonly sessionId: SessionId;
  readonly policy: SandboxPolicy;
}

/** Long enough for a machine under load; what is not answered by then is unclear. */
const PROBE_MS = 20_000;

/**
 * Tries in a Session's real sandbox what its policy claims of it. It is a launch like any other and no call: it waits for
 * none, records nothing, and what it makes is gone when it answers.
 */
export class Prober {
  readonly #parts: ProberParts;

  constructor(parts: ProberParts) {
    this.#parts = parts;
  }

  async run(sessionId: SessionId, policy: SandboxPolicy, signal: AbortSignal): Promise<Probed | Unavailable> {
    const { provider, userHome } = this.#parts;
    const { mode } = policy;
    const confiner = mode === 'danger-full-access' ? 'none' : (await provider.probe(signal)).provider;
    const listeners = await openListeners();
    try {
      const name = `.gatehouse-probe-${randomBytes(12).toString('hex')}`;
      const tries = await triesOf({ policy, userHome, listeners, name });
      const process = await this.#launch(sessionId, policy, signal);
      if (process.kind === 'unavailable') return process;
      const order = { tries: tries.flatMap(({ task }) => task ?? []), name };
      const answers = await answersOf(process, order);
      if (answers.length < order.tries.length) await this.#sweep({ sessionId, policy, ...order }, signal);
      const { enforcement } = process;
      return { kind: 'probed', mode, provider: confiner, enforcement, probes: probesOf(tries, answers) };
    } finally {
      await listeners.close();
    }
  }

  /** It ended before it was through, so it may have left the file that it was about to remove. */
  async #sweep({ sessionId, policy, tries, name }: Order & SweptSession, signal: AbortSignal): Promise<void> {
    const temp = await this.#parts.provider.tempRoot(sessionId, policy, signal);
    const folders = tries.flatMap((task) => (task.kind === 'place' ? [task.path] : []));
    const all = typeof temp === 'string' ? [...folders, temp] : folders;
    // Most of them are nothing that could be written, or no folders.
    await Promise.all(all.map((folder) => rm(join(folder, name), { force: true }).catch(() => undefined)));
  }

  #launch(sessionId: SessionId, policy: SandboxPolicy, signal: AbortSignal) {
    const { provider, runtime, scripts } = this.#parts;
    const argv = [...runtime.argv, join(scripts, 'prober.cjs')] as const;
    const { env } = runtime;
    return provider.launch({ sessionId, policy, argv, env, cwd: '/', stdin: 'pipe', graceMs: 0 }, signal);
  }
}

/** What came back, in the order of the tries; fewer when it was ended on the way. */
async function answersOf(process: ConfinedProcess, order: Order): Promise<readonly Answer[]> {
  let text = '';
  process.stdout.on('data', (part: Buffer) => (text += part.toString()));
  process.stderr.resume();
  process.stdin?.end(JSON.stringify(order));
  const giveUp = after(PROBE_MS, () => void process.close());
  try {
    await process.exited;
  } finally {
    giveUp();
    await process.close();
  }
  const answers: Answer[] = [];
  for (const line of text.split('\n').slice(0, order.tries.length)) {
    const read = readAnswer(parseJson(line));
    if (read === undefined) break;
    answers.push(read);
  }
  return answers;
}

function probesOf(tries: readonly Try[], answers: readonly Answer[]): readonly Probe[] {
  const left = [...answers];
  return tries.map(({ subject, path, expected, task }) => {
    const { observed, detail }: Answer = task ? (left.shift() ?? { observed: 'unclear' }) : { observed: 'untried' };
    return { subject, path, expected, observed, ...(detail !== undefined && { detail }) };
  });
}
