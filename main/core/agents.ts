import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { Barriers } from '../../app/agent/barriers.ts';
import type { DriverRun, DriverSession } from '../../app/agent/driver.ts';
import { parseScript, type Answer } from '../../app/agent/script.ts';
import { scriptedDriver } from '../../app/agent/scripted.ts';
import { RequestError } from '../../app/contract/reply.ts';
import { DEMO } from './demoScript.ts';

const SCRIPT = 'script:';
/** The offline demo: a script that comes with the program. */
export const DEMO_AGENT = 'demo';
const KNOWN = `Known are ${DEMO_AGENT} and ${SCRIPT}<path of a script>.`;

/** The agent's name as a Session's header keeps it: a script by its absolute path. Checks the script whole. */
export async function acceptAgent(agent: string | undefined): Promise<string | undefined> {
  if (agent === undefined || agent === DEMO_AGENT) return agent;
  if (!agent.startsWith(SCRIPT)) throw new RequestError('invalid-input', `Unknown agent: ${agent}. ${KNOWN}`);
  const path = resolve(agent.slice(SCRIPT.length));
  await readScript(path);
  return `${SCRIPT}${path}`;
}

/**
 * The driver of a Session, started with its first request. An agent that is gone says so then; the Session opens all the
 * same.
 */
export function driverOf(agent: string | undefined, session: DriverSession, barriers: Barriers): DriverRun {
  let run: Promise<DriverRun> | undefined;
  return {
    async *next(request, signal) {
      run ??= startAgent(agent, session, barriers);
      yield* (await run).next(request, signal);
    },
    close: async () => {
      await (await run?.catch(() => undefined))?.close();
    },
  };
}

async function startAgent(agent: string | undefined, session: DriverSession, barriers: Barriers): Promise<DriverRun> {
  if (agent === undefined)
    throw new Error('This Session has no agent. Start one with an agent, such as script:<path of a script>.');
  return await scriptedDriver(await answersOf(agent), barriers).start(session);
}

async function answersOf(agent: string): Promise<readonly Answer[]> {
  if (agent === DEMO_AGENT) return DEMO;
  if (!agent.startsWith(SCRIPT)) throw new Error(`Unknown agent: ${agent}. ${KNOWN}`);
  return await readScript(agent.slice(SCRIPT.length));
}

async function readScript(path: string): Promise<readonly Answer[]> {
  if (!isAbsolute(path)) throw new RequestError('script-invalid', `${path}: not an absolute path.`);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (fault) {
    throw new RequestError('script-invalid', `${path}: cannot be read.`, { cause: fault });
  }
  const script = parseScript(text);
  if ('kind' in script) throw new RequestError('script-invalid', `${path}: ${script.message}`);
  return script.answers;
}
