import type { SessionId } from '../../app/base/id.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { rootOf } from './workspace.ts';

/** A folder that every system has and that nobody's data is in. */
const FOLDER = '/usr';

/** The most harmless confined launch there is; it goes the whole way of a real one. */
export async function probeLaunch() {
  const workspace = await rootOf(FOLDER);
  if (!workspace) throw new Error(`There is no ${FOLDER} on this system`);
  const policy: SandboxPolicy = { mode: 'read-only', workspace, settings: SETTINGS };
  // Not an id that `createIds` makes, so no Session has it.
  return { sessionId: 'probe' as SessionId, policy, argv: ['true'], cwd: '/', graceMs: 0 } as const;
}

const SETTINGS: SandboxPolicy['settings'] = {
  writableRoots: [],
  hide: [],
  protectedNames: [],
  network: 'none',
  unixSockets: 'block',
  requireEnforcement: 'any',
  limits: {
    heapBytes: 2 ** 28,
    dataBytes: 2 ** 32,
    memoryBytes: 2 ** 32,
    processes: 256,
    descriptors: 256,
    fileBytes: 2 ** 20,
    outputBytes: 2 ** 16,
    tempBytes: 2 ** 20,
  },
};
