import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../app/base/fault.ts';
import { RequestError } from '../../app/contract/reply.ts';
import type { Presets } from '../../app/policy/presets.ts';
import { codeOf } from '../base/codeOf.ts';
import { makeFolder } from '../base/makeFolder.ts';
import type { Core } from '../coreShape.ts';
import { DEMO_AGENT } from './agents.ts';
import { DEMO_PROMPT, DEMO_TITLE } from './demoScript.ts';

export interface DemoParts {
  /** Gatehouse's own data folder, canonical. */
  readonly home: string;
  readonly presets: Presets;
  readonly sessions: Pick<Core['sessions'], 'create' | 'prompt'>;
}

/** The request `demo.start`. */
export function demoRequests(parts: DemoParts): Core['demo'] {
  return { start: (caller) => start(parts, caller) };
}

/** Where the demos work: beside the data folder, which no sandbox sees. */
export function demoFolder(home: string): string {
  return `${home}-demo`;
}

async function start({ home, presets, sessions }: DemoParts, caller: Parameters<Core['demo']['start']>[0]) {
  const preset = presetOfDemo(presets);
  const workspace = await newProject(demoFolder(home));
  const { sessionId } = await sessions
    .create({ workspace, preset, agent: DEMO_AGENT, title: DEMO_TITLE }, caller)
    .catch(async (fault: unknown) => {
      await rmdir(workspace).catch(() => undefined);
      throw fault;
    });
  await sessions.prompt({ sessionId, text: DEMO_PROMPT });
  return { sessionId };
}

/** The demo tells of a workspace that may be written and of a question; a table of one's own may call that otherwise. */
function presetOfDemo(presets: Presets): string {
  const fitting = presets.list().find(({ sandbox, approval }) => sandbox === 'workspace-write' && approval === 'ask');
  if (fitting) return fitting.name;
  throw new RequestError(
    'unknown-preset',
    'The demo needs a preset with workspace-write and ask; the settings have none.',
  );
}

/** A folder that no demo before has used. */
async function newProject(folder: string): Promise<string> {
  try {
    await makeFolder(folder, 0o700);
    for (let number = 1; ; number += 1) {
      const path = join(folder, number === 1 ? 'project' : `project-${number}`);
      if (await made(path)) return path;
    }
  } catch (fault) {
    throw new RequestError('storage', `The demo needs a folder ${folder} (${messageOf(fault)}).`, { cause: fault });
  }
}

async function made(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') return false;
    throw fault;
  }
}
