import type { ApprovalChange } from '../../app/approval/approvals.ts';
import type { ApprovalId, SessionId } from '../../app/base/id.ts';
import { visibleText } from '../../app/base/visible.ts';
import type { Cleanup } from '../../app/cleanup/cleanup.ts';
import type { Note } from '../../app/contract/host.ts';
import type { Push } from '../../app/contract/pushes.ts';
import type { SessionEvent, TurnEndReason } from '../../app/session/events.ts';
import type { SessionRow } from '../../app/session/view.ts';

export interface NotesPorts {
  readonly notify: (note: Note) => void;
  readonly badge: (pending: number) => void;
  /** Whether a person wants notes now; what is withdrawn is withdrawn all the same. */
  readonly wanted: () => boolean;
}

type Kind = Note['kind'];

/**
 * What of the pushes is worth a note (ui.md, Around it): one for one thing, taken back as soon as that is over. A note
 * names the Session, hidden characters of its title drawn as escapes, and never what is asked or run.
 */
export class Notes {
  readonly #ports: NotesPorts;
  readonly #rows = new Map<SessionId, SessionRow>();
  readonly #pending = new Map<ApprovalId, SessionId>();
  readonly #standing = new Map<string, Note>();

  constructor(ports: NotesPorts) {
    this.#ports = ports;
  }

  hear(push: Push): void {
    switch (push.push) {
      case 'session':
        if ('row' in push.data) this.#rows.set(push.data.row.sessionId, push.data.row);
        else this.#forget(push.data.sessionId);
        break;
      case 'approval':
        this.#hearApproval(push.data);
        break;
      case 'cleanup':
        this.#hearCleanup(push.data.cleanup);
        break;
      case 'event':
        this.#hearEvent(push.data.sessionId, push.data.event);
        break;
      default:
    }
  }

  #hearApproval({ change, approval }: ApprovalChange): void {
    const { approvalId, sessionId } = approval;
    if (change === 'asked') this.#pending.set(approvalId, sessionId);
    else this.#pending.delete(approvalId);
    this.#ports.badge(this.#pending.size);
    if (change === 'asked') this.#tell(approvalId, 'approval-needed', sessionId);
    else this.#withdraw(approvalId);
  }

  #hearCleanup({ cleanupId, sessionId, phase, failed }: Cleanup): void {
    if (failed) this.#tell(cleanupId, 'cleanup-failed', sessionId);
    else if (phase === 'released') this.#withdraw(cleanupId);
  }

  #hearEvent(sessionId: SessionId, event: SessionEvent): void {
    if (event.type === 'turn/start') this.#withdrawRuns(sessionId);
    if (event.type !== 'turn/end') return;
    const kind = kindOf(event.data.reason);
    // What became of a child is for its parent to say, and whoever is asked something knows already.
    if (!kind || this.#rows.get(sessionId)?.parent !== undefined) return;
    if (kind === 'run-ended' && this.#isAsked(sessionId)) return;
    this.#tell(`run-${sessionId}-${event.data.turn}`, kind, sessionId);
  }

  #isAsked(sessionId: SessionId): boolean {
    return Array.from(this.#pending.values()).includes(sessionId);
  }

  #tell(noteId: string, kind: Kind, sessionId: SessionId): void {
    if (this.#standing.has(noteId) || !this.#ports.wanted()) return;
    const note = { noteId, kind, sessionId, title: visibleText(this.#rows.get(sessionId)?.title ?? '') };
    this.#standing.set(noteId, note);
    this.#ports.notify(note);
  }

  #withdraw(noteId: string): void {
    const note = this.#standing.get(noteId);
    if (!note) return;
    this.#standing.delete(noteId);
    this.#ports.notify({ ...note, withdrawn: true });
  }

  /** The next run has begun: nobody needs to hear of the last one any more. */
  #withdrawRuns(sessionId: SessionId): void {
    for (const { noteId, kind, sessionId: owner } of Array.from(this.#standing.values())) {
      if (owner === sessionId && (kind === 'run-ended' || kind === 'run-failed')) this.#withdraw(noteId);
    }
  }

  #forget(sessionId: SessionId): void {
    this.#rows.delete(sessionId);
    for (const { noteId, sessionId: owner } of Array.from(this.#standing.values())) {
      if (owner === sessionId) this.#withdraw(noteId);
    }
  }
}

/** A run that a person stopped, or that a restart interrupted, is no news. */
function kindOf(reason: TurnEndReason): Kind | undefined {
  if (reason === 'error') return 'run-failed';
  return reason === 'aborted' || reason === 'interrupted' ? undefined : 'run-ended';
}
