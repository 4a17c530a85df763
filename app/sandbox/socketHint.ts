import type { SandboxPolicy } from './policy.ts';

/** What a person can change, said where a program met it (sandbox.md, Launch details). */
const SOCKETS_BLOCKED = 'unix sockets are blocked in this workspace';

const REFUSED = /\b(EPERM|operation not permitted)\b/i;
const SOCKET = /\b(socket|listen|connect|bind|AF_UNIX)\b/i;
/** A trace names the call some lines above its message. */
const ABOVE = 3;

/** Whether the messages of a program say that a local socket was refused to it. A hint: a program may print what it likes. */
export function refusesSocket(output: string): boolean {
  const lines = output.split('\n');
  return lines.some(
    (line, index) =>
      REFUSED.test(line) &&
      (SOCKET.test(line) || lines.slice(Math.max(0, index - ABOVE), index).some((above) => /\bAF_UNIX\b/.test(above))),
  );
}

/** What the model and a person read where a hint speaks of a socket; nothing where sockets are not what is blocked. */
export function socketLine(hints: readonly { readonly operation: string }[], policy: SandboxPolicy): readonly string[] {
  const { mode, settings } = policy;
  const blocks = mode !== 'danger-full-access' && settings.unixSockets === 'block';
  return blocks && hints.some(({ operation }) => operation === 'socket') ? [SOCKETS_BLOCKED] : [];
}
