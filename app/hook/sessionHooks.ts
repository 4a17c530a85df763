import type { CleanupEvent } from '../cleanup/cleanup.ts';
import type { Journal } from '../log/journal.ts';
import type { PolicyEvent } from '../policy/events.ts';
import { effective, type PolicyPair } from '../policy/fold.ts';
import type { HookWrites } from '../policy/settingsHooks.ts';
import type { PolicySubject } from '../policy/subject.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { SandboxPolicy } from '../sandbox/policy.ts';
import type { Unavailable } from '../sandbox/provider.ts';
import { unavailableText } from '../sandbox/unavailable.ts';
import type { CallHooks, HookedCall, HookVerdict } from '../tool/callHooks.ts';
import { cut } from '../tool/cut.ts';
import { InFlightCalls } from '../tool/inFlight.ts';
import type { Outcome } from '../tool/result.ts';
import { readAnswer, type HookAnswer } from './answer.ts';
import type { HookEvent } from './events.ts';
import { hooksAt, hooksFor, writesAround, type MatchedHook } from './hook.ts';
import { runHook, type HookRan, type HookRunParts } from './hookRun.ts';
import { inputOf, type Occasion } from './input.ts';
import { contextLines, decisionOf, line, reasonOf, type Answered } from './answered.ts';
import type { HookSource } from './source.ts';

/** A Session as its hooks see it. */
export interface HookSession extends PolicySubject {
  readonly journal: Journal<HookEvent | CleanupEvent | PolicyEvent>;
  resolvePolicy(mode: Mode): Promise<SandboxPolicy | Unavailable>;
}

export interface SessionHooksParts extends HookRunParts {
  readonly session: HookSession;
  readonly source: HookSource;
  readonly fallback?: PolicyPair;
}

/** What all hooks of a point said, in their order. */
interface Said {
  readonly answers: readonly Answered[];
  /** Why nobody knows which hooks there are besides: those that are known have run all the same. */
  readonly unknown?: string;
}

const NOTHING: Said = { answers: [] };

/**
 * The hooks of one Session (agent.md, Hooks). Those of a point run one after the other, all of them, each under the
 * Session's Mode of that moment: a committed change ends what runs, as it ends everything that was started before it.
 */
export class SessionHooks implements CallHooks {
  readonly #parts: SessionHooksParts;
  readonly #inFlight: InFlightCalls;

  constructor(parts: SessionHooksParts) {
    this.#parts = parts;
    this.#inFlight = new InFlightCalls(parts.session, parts.fallback);
  }

  async before(call: HookedCall, signal: AbortSignal): Promise<HookVerdict> {
    const said = await this.#point({ on: 'PreToolUse', call }, signal);
    const lines = contextLines(said.answers);
    const decision = decisionOf(said.answers);
    if (decision === 'deny') return { kind: 'denied', reason: reasonOf(said.answers, decision), lines };
    if (said.unknown !== undefined) return { kind: 'unknown', message: said.unknown };
    if (decision === 'ask') return { kind: 'ask', reason: reasonOf(said.answers, decision), lines };
    return { kind: 'passed', lines };
  }

  /** What is done is done: a refusal here is something that the model is told. */
  async after(call: HookedCall, outcome: Outcome, signal: AbortSignal): Promise<readonly string[]> {
    const said = await this.#point({ on: 'PostToolUse', call, outcome }, signal);
    const objections = said.answers.filter(({ decision }) => decision === 'deny' || decision === 'ask');
    return [...objections.map((answer) => line(answer, answer.reason)), ...contextLines(said.answers)];
  }

  /** The first turn begins. Nothing can be refused here. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#again({ on: 'SessionStart' }, signal);
  }

  /** Why the message may not reach the model; undefined when it may. Nobody can be asked here: asking is refusing. */
  async prompt(message: { readonly seq: number; readonly text: string }, signal: AbortSignal) {
    const said = await this.#again({ on: 'UserPromptSubmit', prompt: message.seq, text: message.text }, signal);
    const decision = decisionOf(said.answers);
    if (decision === 'deny' || decision === 'ask') return reasonOf(said.answers, decision);
    return said.unknown === undefined ? undefined : this.#unknown(message.seq, said.unknown);
  }

  /** Why the turn is to go on; undefined when it may end. */
  async stop(again: boolean, signal: AbortSignal): Promise<string | undefined> {
    const said = await this.#again({ on: 'Stop', again }, signal);
    return decisionOf(said.answers) === 'deny' ? reasonOf(said.answers, 'deny') : undefined;
  }

  /** What the hooks around a call of this tool may write, as far as is known without looking. */
  writesAround(tool: string): HookWrites {
    if (!this.#parts.source.some()) return 'none';
    const known = this.#parts.source.known();
    return known ? writesAround(known, tool) : 'unknown';
  }

  close(): void {
    this.#inFlight.close();
  }

  /** A turn has no verdict that is taken again: here it goes on with the hook that a change has cut off. */
  async #again(occasion: Occasion, signal: AbortSignal): Promise<Said> {
    const answers: Answered[] = [];
    for (;;) {
      const { changes } = this.#inFlight;
      const said = await this.#point(occasion, signal, answers.length);
      signal.throwIfAborted();
      answers.push(...said.answers.filter(({ isCut }) => !isCut));
      if (this.#inFlight.changes === changes) return { ...said, answers };
    }
  }

  /** `from` is the place of the first hook that has not answered yet. */
  async #point(occasion: Occasion, signal: AbortSignal, from = 0): Promise<Said> {
    if (!this.#parts.source.some()) return NOTHING;
    const { call, leave } = this.#inFlight.enter(signal);
    call.phase = 'running';
    try {
      return await this.#said(occasion, from, call.controller.signal);
    } finally {
      leave();
    }
  }

  async #said(occasion: Occasion, from: number, signal: AbortSignal): Promise<Said> {
    const { session, source, fallback } = this.#parts;
    // Never under what its call was allowed: that is for the call alone.
    const policy = await session.resolvePolicy(effective(session.policyState(), fallback).mode);
    if ('kind' in policy) return { answers: [], unknown: unavailableText(policy) };
    const inForce = await unlessAborted(source.read({ sessionId: session.id, policy }, signal), signal);
    if (!inForce) return NOTHING;
    const due = 'call' in occasion ? hooksFor(inForce.hooks, occasion.on, occasion.call.tool) : [];
    const turn = 'call' in occasion ? [] : hooksAt(inForce.hooks, occasion.on).map((hook) => ({ hook, known: '' }));
    const matching = [...due, ...turn].slice(from);
    // What a hook is asked about is on disk before anything of it runs.
    if (matching.length > 0) await session.journal.flush();
    const answers: Answered[] = [];
    for (const matched of matching) {
      if (signal.aborted) break;
      answers.push(await this.#one({ matched, occasion, policy }, signal));
    }
    return { answers, ...(inForce.kind === 'unknown' && { unknown: inForce.message }) };
  }

  async #one({ matched, occasion, policy }: Due, signal: AbortSignal): Promise<Answered> {
    const { hook, known } = matched;
    const { id: sessionId } = this.#parts.session;
    const input = inputOf(occasion, { sessionId, cwd: policy.workspace.path }, known);
    const id = 'call' in occasion ? occasion.call.callId : occasion.on;
    const stdin = `${JSON.stringify(input)}\n`;
    const ran = await runHook(this.#parts, { hook, id, stdin, policy }, signal);
    const answer = readAnswer(hook.on, ran);
    this.#record({ matched, occasion }, ran, answer);
    return { ...answer, hook: hook.command, isCut: ran.unanswered?.kind === 'cancelled' };
  }

  /** The log says that the message was refused, as it does where a hook refused it: no later request has it either. */
  #unknown(prompt: number, message: string): string {
    const reason = cut(`nobody knows what the hooks say of it: ${message}`.toWellFormed(), LONGEST_REASON);
    const end = { exitCode: null, signal: null, durationMs: 0 };
    const data = { hook: UNKNOWN, on: 'UserPromptSubmit' as const, prompt, decision: 'deny' as const, reason, ...end };
    this.#parts.session.journal.append({ type: 'hook/ran', data });
    return reason;
  }

  #record({ matched: { hook }, occasion }: Omit<Due, 'policy'>, ran: HookRan, answer: HookAnswer): void {
    const { exitCode, signal, durationMs } = ran;
    this.#parts.session.journal.append({
      type: 'hook/ran',
      data: {
        hook: cut(hook.command.toWellFormed(), LONGEST_COMMAND),
        on: hook.on,
        ...('call' in occasion && { callId: occasion.call.callId }),
        ...(occasion.on === 'UserPromptSubmit' && { prompt: occasion.prompt }),
        ...answer,
        exitCode,
        signal,
        durationMs,
      },
    });
  }
}

interface Due {
  readonly matched: MatchedHook;
  readonly occasion: Occasion;
  readonly policy: SandboxPolicy;
}

/** What was cut off has said nothing: whoever asked asks again, or is cancelled as well. */
async function unlessAborted<T>(reading: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await reading;
  } catch (fault) {
    if (signal.aborted) return undefined;
    throw fault;
  }
}

const LONGEST_COMMAND = 4_000;
const LONGEST_REASON = 2_000;
const UNKNOWN = '(hooks that are not known)';
