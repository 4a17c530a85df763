import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../app/base/fault.ts';
import { RequestError } from '../../app/contract/reply.ts';
import { makeFolder } from '../base/makeFolder.ts';
import { loadLocks } from '../native.ts';
import { identityOf } from '../process/identity.ts';
import { holdInstance, type Instance } from '../session/instances.ts';
import { JsonlStore } from '../session/jsonlStore.ts';
import { FileTexts } from '../session/keptTexts.ts';
import { openSettings, type SettingsFile } from '../settings/settings.ts';

/** What this process holds of its data folder for as long as it runs. */
export interface Host {
  /** Canonical. */
  readonly home: string;
  /** Names this running process: in its mark, and in what it starts. */
  readonly instance: string;
  readonly mark: Instance;
  readonly store: JsonlStore;
  readonly texts: FileTexts;
  readonly settings: SettingsFile;
}

export async function openHost(folder: string, onFault: (fault: unknown) => void): Promise<Host> {
  const home = await dataFolder(folder);
  const locks = loadLocks();
  const instance = randomBytes(8).toString('hex');
  const startTime = identityOf(process.pid)?.startTime ?? '';
  const holder = { instance, pid: process.pid, startTime, since: Date.now() };
  const mark = await holdInstance(join(home, 'instances'), { holder, locks });
  const settings = await openSettings({ file: join(home, 'settings.json'), onFault });
  const sessions = join(home, 'sessions');
  const store = new JsonlStore({ folder: sessions, locks, holder, now: () => Date.now() });
  return { home, instance, mark, store, texts: new FileTexts(sessions), settings };
}

async function dataFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder, 0o700);
    return await realpath(folder);
  } catch (fault) {
    const message = `The data folder ${folder} cannot be used (${messageOf(fault)}). Set GATEHOUSE_HOME to a folder that you may write.`;
    throw new RequestError('storage', message, { cause: fault });
  }
}
