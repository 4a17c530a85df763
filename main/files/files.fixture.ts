import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SessionId } from '../../app/base/id.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import { ROOMY } from '../../app/sandbox/policy.fixture.ts';
import type { LaunchSettings } from '../../app/sandbox/policy.ts';
import type { Confinement } from '../../app/tool/ports.ts';

/** An empty folder that goes with the test. Not below `/tmp` unless asked for: a confined Session has a `/tmp` of its own. */
export async function freshFolder(parent = '/var/tmp'): Promise<string> {
  const folder = await realpath(await mkdtemp(join(parent, 'gatehouse-files-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A policy for a workspace as it is on disk right now. */
export async function confine(
  workspace: string,
  mode: Mode = 'workspace-write',
  more: Partial<LaunchSettings> = {},
): Promise<Confinement> {
  const { dev, ino } = await stat(workspace, { bigint: true });
  const root = { path: workspace, device: String(dev), inode: String(ino) };
  return { sessionId: 's_files' as SessionId, policy: { mode, workspace: root, settings: { ...ROOMY, ...more } } };
}
