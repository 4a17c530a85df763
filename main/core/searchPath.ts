import type { Notice } from '../../app/contract/pushes.ts';
import { widened, type LoginPath } from '../host/loginPath.ts';

export interface Learning {
  readonly ask: ((signal: AbortSignal) => Promise<LoginPath>) | undefined;
  /** Told when the answer does not come. */
  readonly tell: (notice: Notice) => void;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Where programs are looked up: the app's own PATH, and behind it what the login shell has besides, as soon as that is
 * known. Nobody waits for it.
 */
export class SearchPath {
  readonly #ending = new AbortController();
  #login: string | undefined;
  #notice: Notice | undefined;
  #learning = Promise.resolve();

  get current(): string {
    return this.widen(process.env['PATH'] ?? '');
  }

  readonly widen = (own: string): string => widened(own, this.#login);

  /** What a door that comes now should know. */
  standing(): readonly Notice[] {
    return this.#notice ? [this.#notice] : [];
  }

  learn({ ask, tell, onFault }: Learning): void {
    if (!ask) return;
    const learn = async (): Promise<void> => {
      const answer = await ask(this.#ending.signal);
      if (answer.kind === 'found') this.#login = answer.path;
      if (answer.kind === 'late') tell((this.#notice = lateNotice(answer)));
    };
    this.#learning = learn().catch(onFault);
  }

  /** Gives up. Nothing of the shell is left when it resolves. */
  close(): Promise<void> {
    this.#ending.abort();
    return this.#learning;
  }
}

function lateNotice({ shell, ms }: Extract<LoginPath, { kind: 'late' }>): Notice {
  const message = `The login shell ${shell} did not answer within ${ms / 1000} s, so programs that only your shell profile adds to PATH are not found. Make the profile faster, or start Gatehouse from a terminal.`;
  return { noticeId: 'login-path', level: 'warning', code: 'login-path', message };
}
