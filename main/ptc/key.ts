import type { SandboxPolicy } from '../../app/sandbox/policy.ts';

/**
 * What a retained Environment is bound to besides its owner and Session: the resolved Mode, the workspace root itself (not
 * only its path), and the launch settings (ptc.md, Two retentions). Two policies with one key launch alike.
 */
export function keyOf({ mode, workspace, settings, linked }: SandboxPolicy): string {
  return JSON.stringify([mode, workspace.path, workspace.device, workspace.inode, sorted(settings), sorted(linked)]);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, member]) => [name, sorted(member)]);
}
