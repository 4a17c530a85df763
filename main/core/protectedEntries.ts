import { effective } from '../../app/policy/fold.ts';
import type { LaunchSettings, SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { Session } from '../../app/session/session.ts';
import { linkedGitOf } from '../sandbox/worktree.ts';
import { protectionOf, unprotected, type Protection } from '../sandbox/protection.ts';

/**
 * Tells a Session what a call has made that is protected from then on, such as a git folder: until its end the call itself
 * could write it. The returned function ends it.
 */
export function tellProtected(session: Session, settings: (workspace: string) => LaunchSettings): () => void {
  let known: Protection | undefined;
  const look = () => {
    const now = protectionOf(policyOf(session, settings));
    const appeared = known === undefined ? [] : unprotected(known, now);
    known = now;
    if (appeared.length > 0 && mayWrite(session)) session.append({ type: 'session/notice', data: noticeOf(appeared) });
  };
  return session.observe(({ type }) => {
    // What is there before the first call of this Session begins is nobody's news.
    if (type === 'tool/result' || (type === 'tool/started' && known === undefined)) session.followUp(look);
  });
}

/** Only entries matter here: not whether the folder is still the one that was opened, and no sockets of the host. */
function policyOf(session: Session, settings: (workspace: string) => LaunchSettings): SandboxPolicy {
  const path = session.header.workspace;
  const workspace = { path, device: '', inode: '' };
  const policy = { mode: 'workspace-write', workspace, settings: { ...settings(path), unixSockets: 'block' } } as const;
  const linked = linkedGitOf(policy);
  // A hidden path is none that a call may make: what has become of it is nobody's news here.
  return { ...policy, settings: { ...policy.settings, hide: [] }, ...(linked && { linked }) };
}

/** Where nothing may be written it was somebody else, and no call can undo it. */
function mayWrite(session: Session): boolean {
  return effective(session.policyState()).mode !== 'read-only';
}

function noticeOf(paths: readonly string[]) {
  const message = `Protected from now on: ${paths.join(', ')}. What was made or replaced during a call can no longer be written by the next ones.`;
  return { code: 'protected-entry', message };
}
