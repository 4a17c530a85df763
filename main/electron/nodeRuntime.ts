import { dirname, resolve } from 'node:path';
import type { NodeRuntime } from '../core.ts';

/**
 * What programs run on: the Node that `GATEHOUSE_NODE` names, else this very binary, which is Node when it is told so. Its
 * libraries lie beside it.
 */
export function nodeRuntimeOf(env: NodeJS.ProcessEnv, execPath: string): NodeRuntime {
  if (env['GATEHOUSE_NODE']) return { path: resolve(env['GATEHOUSE_NODE']) };
  return { path: execPath, variables: { ELECTRON_RUN_AS_NODE: '1' }, needs: [dirname(execPath)] };
}
