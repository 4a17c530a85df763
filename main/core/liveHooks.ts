import type { TurnHooks } from '../../app/agent/turnHooks.ts';
import type { Cleanups } from '../../app/cleanup/cleanups.ts';
import type { Started } from '../../app/cleanup/started.ts';
import type { Notice } from '../../app/contract/pushes.ts';
import { SessionHooks } from '../../app/hook/sessionHooks.ts';
import { effective } from '../../app/policy/fold.ts';
import type { Settings } from '../../app/policy/settings.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import type { Session } from '../../app/session/session.ts';
import type { Commands, Confinement, Files } from '../../app/tool/ports.ts';
import { SessionHookSource } from './hookSource.ts';

export interface LiveHooksParts {
  readonly session: Session;
  readonly resolvePolicy: (mode: Mode) => Promise<SandboxPolicy | Unavailable>;
  readonly shared: {
    readonly commands: Commands;
    readonly files: Files;
    readonly cleanups: Cleanups;
    readonly started: Started;
    readonly settings: () => Settings;
    readonly notice: (notice: Notice) => void;
    /** The text of a message that an earlier process accepted. */
    readonly messageText: (session: Session, seq: number) => Promise<string>;
  };
}

/** The hooks of a Session at work: those of its calls, and the same ones as its turns see them. */
export function liveHooks(parts: LiveHooksParts): { readonly calls: SessionHooks; readonly turns: TurnHooks } {
  const { session, resolvePolicy, shared } = parts;
  const { commands, cleanups, started } = shared;
  const source = sourceOf(parts);
  const journal = session;
  const subject = { id: session.id, journal, policyState: () => session.policyState(), resolvePolicy };
  const calls = new SessionHooks({ session: subject, commands, cleanups, started, source });
  const standing = async (): Promise<Confinement | undefined> => {
    const policy = await resolvePolicy(effective(session.policyState()).mode);
    return 'kind' in policy ? undefined : { sessionId: session.id, policy };
  };
  const turns: TurnHooks = {
    begin: async (turn, signal) => {
      await source.tellOff(standing, signal);
      if (turn === 1) await calls.start(signal);
    },
    prompt: async ({ seq, text }, signal) =>
      calls.prompt({ seq, text: text ?? (await shared.messageText(session, seq)) }, signal),
    stop: (again, signal) => calls.stop(again, signal),
  };
  return { calls, turns };
}

function sourceOf({ session, shared }: LiveHooksParts): SessionHookSource {
  return new SessionHookSource({
    sessionId: session.id,
    workspace: session.header.workspace,
    settings: shared.settings,
    files: shared.files,
    wasTold: (code) => session.window.some((event) => event.type === 'session/notice' && event.data.code === code),
    notice: (notice) => {
      const { code, message } = notice;
      session.append({ type: 'session/notice', data: { code, message } });
      shared.notice(notice);
    },
  });
}
