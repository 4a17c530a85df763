import type { SessionId } from '../../app/base/id.ts';
import type { Notice } from '../../app/contract/pushes.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import { unavailableText } from '../../app/sandbox/unavailable.ts';
import type { Confiner } from '../sandbox/confined.ts';

/**
 * Tells a person once per Session that nothing can be confined here, however often it is tried, and takes that back as
 * soon as something was.
 */
export class SandboxNotices {
  readonly #tell: (notice: Notice) => void;
  readonly #told = new Map<SessionId, Notice>();

  constructor(tell: (notice: Notice) => void) {
    this.#tell = tell;
  }

  /** What holds now, for a door that comes late. */
  standing(): readonly Notice[] {
    return [...this.#told.values()];
  }

  /** The same Provider, whose launches are heard of. */
  around(provider: Confiner): Confiner {
    return {
      probe: (signal) => provider.probe(signal),
      tempRoot: async (id, policy, signal) => {
        const root = await provider.tempRoot(id, policy, signal);
        if (typeof root !== 'string') this.failed(id, root);
        return root;
      },
      launch: async (request, signal) => {
        const started = await provider.launch(request, signal);
        if (started.kind === 'unavailable') this.failed(request.sessionId, started);
        else if (request.policy.mode !== 'danger-full-access') this.#over(request.sessionId);
        return started;
      },
      release: (id) => {
        this.#over(id);
        return provider.release(id);
      },
      close: () => provider.close(),
    };
  }

  failed(sessionId: SessionId, unavailable: Unavailable): void {
    // A workspace that is gone is told by every call that it fails, and by nothing else.
    if (unavailable.code !== 'SANDBOX_UNAVAILABLE') return;
    const notice = noticeOf(sessionId, unavailable);
    const before = this.#told.get(sessionId);
    // Asked before a person is, it has no words of the launcher: they are not taken away again.
    if (before?.message === notice.message && (before.detail ?? notice.detail) === before.detail) return;
    this.#told.set(sessionId, notice);
    this.#tell(notice);
  }

  #over(sessionId: SessionId): void {
    const notice = this.#told.get(sessionId);
    if (notice === undefined) return;
    this.#told.delete(sessionId);
    const { noticeId, code } = notice;
    this.#tell({ noticeId, code, level: 'info', message: 'Commands are confined again.', sessionId, closed: true });
  }
}

function noticeOf(sessionId: SessionId, unavailable: Unavailable): Notice {
  return {
    noticeId: `sandbox-${sessionId}`,
    level: 'error',
    code: unavailable.code,
    message: `Nothing can run confined in this Session. ${unavailableText(unavailable)}`,
    sessionId,
    ...(unavailable.detail && { detail: unavailable.detail }),
  };
}
