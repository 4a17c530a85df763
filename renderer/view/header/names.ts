import type { Dictionary } from '../../text/text.ts';

const SCRIPT = 'script:';

/** What drives the Session, in a word or two. */
export function agentName(agent: string | undefined, { shell }: Dictionary): string {
  if (agent === undefined) return shell.noAgent;
  if (agent.startsWith(SCRIPT)) return shell.scriptAgent(lastOf(agent.slice(SCRIPT.length)));
  return agent === 'demo' ? shell.demoAgent : agent;
}

/** A path as a person writes it: what lies in their home begins with `~`. */
export function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return path;
  if (path === home) return '~';
  const next = path.charAt(home.length);
  return path.startsWith(home) && (next === '/' || next === '\\') ? `~${path.slice(home.length)}` : path;
}

/** The last part of a path, whichever way its system writes it. */
export function lastOf(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}
