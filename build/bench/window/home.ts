import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersIn, writeLongLog } from '../longLog.ts';

interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly input: object }[];
}

export interface StoredSession {
  readonly id: string;
  readonly title: string;
  readonly turns: number;
  readonly lastAnswer?: number;
  /** What its agent does when it is asked to go on. */
  readonly next: readonly Answer[];
}

/** A data folder with these Sessions, for as long as `work` takes. */
export async function withHome<T>(sessions: readonly StoredSession[], work: (home: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const home = join(folder, 'home');
    const workspace = join(folder, 'workspace');
    await mkdir(home, { mode: 0o700 });
    await mkdir(workspace);
    await writeFile(join(workspace, 'a.txt'), 'A');
    await writeFile(join(home, 'settings.json'), JSON.stringify({ window: { welcomed: true } }), { mode: 0o600 });
    for (const { next, ...stored } of sessions) {
      const given = Array.from({ length: answersIn(stored.turns) }, () => ({ text: 'Given already.' }));
      const script = join(folder, `${stored.id}.json`);
      await writeFile(script, JSON.stringify({ answers: [...given, ...next] }));
      await writeLongLog({ home, workspace, agent: `script:${script}`, ...stored });
    }
    return await work(home);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
