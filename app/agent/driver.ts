import type { Json } from '../base/json.ts';
import type { SessionId } from '../base/id.ts';
import type { Usage } from '../session/events.ts';
import type { Message } from '../session/history.ts';

/** What proposes the next step. It never touches a file or a process of the user (agent.md, Driver). */
export interface Driver {
  start(session: DriverSession): Promise<DriverRun>;
}

export interface DriverSession {
  readonly id: SessionId;
  readonly workspace: string;
  /** Answers this Session's log has already: where a script goes on. */
  readonly answered: number;
}

export interface DriverRun {
  /** One model request. The stream ends with exactly one `end`; a fault of the model is thrown. */
  next(request: StepRequest, signal: AbortSignal): AsyncIterable<Part>;
  close(): Promise<void>;
}

export interface StepRequest {
  readonly turn: number;
  readonly step: number;
  /** The request is a function of the events up to and including this seq. */
  readonly through: number;
  history(): Promise<readonly Message[]>;
}

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: Json }
  | {
      readonly kind: 'end';
      readonly reason: 'answered' | 'blocked' | 'max-tokens';
      readonly usage?: Usage;
      readonly message?: string;
    };
