import type { SessionId } from '../app/base/id.ts';
import type { Push } from '../app/contract/pushes.ts';
import type { Caller, Handlers, RequestName } from '../app/contract/requests.ts';
import type { SessionEvent } from '../app/session/events.ts';

/** A request as the core answers it: who asks matters only where the core takes a second argument. */
type Answers<N extends RequestName> = (input: Parameters<Handlers[N]>[0]) => ReturnType<Handlers[N]>;
type AnswersCaller<N extends RequestName> = (
  input: Parameters<Handlers[N]>[0],
  caller: Pick<Caller, 'door'>,
) => ReturnType<Handlers[N]>;

/**
 * The composed product as every door sees it: grouped like the request table, plus what a door needs to push. It refuses
 * with a RequestError, and answers only when the events that the answer speaks of are durable.
 */
export interface Core extends PushSource {
  /** The data folder, canonical. */
  readonly home: string;
  readonly sessions: {
    readonly create: AnswersCaller<'session.create'>;
    readonly list: Answers<'session.list'>;
    readonly open: Answers<'session.open'>;
    readonly events: Answers<'session.events'>;
    readonly prompt: Answers<'session.prompt'>;
    readonly stop: Answers<'session.stop'>;
    readonly idle: Answers<'session.idle'>;
    readonly verify: Answers<'session.verify'>;
  };
  readonly policy: {
    readonly presets: Answers<'preset.list'>;
    readonly preview: Answers<'preset.preview'>;
    readonly setPreset: Answers<'preset.set'>;
    readonly setMode: Answers<'mode.set'>;
    readonly setApprovalPolicy: Answers<'approvalPolicy.set'>;
  };
  readonly approvals: {
    readonly list: Answers<'approval.list'>;
    readonly decide: AnswersCaller<'approval.decide'>;
  };
  readonly cleanups: { readonly list: Answers<'cleanup.list'>; readonly retry: Answers<'cleanup.retry'> };
  readonly environments: {
    readonly list: Answers<'environment.list'>;
    readonly reset: Answers<'environment.reset'>;
  };
  readonly tools: { readonly declarations: Answers<'tool.declarations'> };
  readonly jobs: {
    readonly list: Answers<'job.list'>;
    readonly output: Answers<'job.output'>;
    readonly stop: Answers<'job.stop'>;
  };
  readonly settings: {
    readonly get: () => ReturnType<Handlers['settings.get']>;
    readonly set: Answers<'settings.set'>;
    readonly replace: Answers<'settings.replace'>;
  };
  readonly script: { readonly release: Answers<'script.release'> };
  readonly texts: { readonly read: Answers<'text.read'> };
  readonly demo: { readonly start: (caller: Pick<Caller, 'door'>) => ReturnType<Handlers['demo.start']> };
  doctor(): ReturnType<Handlers['doctor.run']>;
  readonly probe: { readonly run: Answers<'probe.run'> };
  /** An answerer of approvals is connected, until the returned function is called. */
  attend(): () => void;
  /** Open turns end `aborted {by: 'shutdown'}`, everything is flushed, nothing is left running. Twice is once. */
  close(): Promise<void>;
}

/** What pushes are made of. */
export interface PushSource {
  /**
   * Every push of this process, whoever follows what. An `event` comes once it is durable, never for seed events, in
   * rising order per Session; the `session` row of a child comes before its first event.
   */
  onPush(listener: (push: Push) => void): () => void;
  /** Durable events `[from, to)`, past the end none; also after `close`, for doors that are still behind. */
  readEvents(sessionId: SessionId, from: number, to: number): Promise<readonly SessionEvent[]>;
}
