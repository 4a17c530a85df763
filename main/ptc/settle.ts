import type { Ending } from '../../app/cleanup/ending.ts';
import type { CleanupFailed } from '../../app/ptc/nodeProvider.ts';
import type { NodeEnvironment } from './environment.ts';

/** Waits until it is gone. A failed cleanup is tried once more, and only then is it a failure. */
export async function settle(environment: NodeEnvironment): Promise<CleanupFailed | undefined> {
  const { error } = await environment.outcome();
  const { cleanup } = environment;
  if (error !== undefined && cleanup && (await cleanup.retry()).failed) return failureOf(cleanup);
  await environment.gone;
  return undefined;
}

function failureOf(ending: Ending): CleanupFailed {
  const { cleanupId, pid, phase, failed } = ending.current();
  const error = failed?.error ?? 'unknown';
  return { kind: 'cleanup-failed', code: 'CLEANUP_FAILED', cleanupId, ...(pid !== undefined && { pid }), phase, error };
}
