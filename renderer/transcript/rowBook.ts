import { CallBook } from './calls.ts';
import { factOf } from './facts.ts';
import { GapsToDraw } from './gapsToDraw.ts';
import { PolicyBook } from './policies.ts';
import { AnswerBook } from './answers.ts';
import type { EventOf, Row, Standing } from './row.ts';
import type { SessionEvent } from '../../app/session/events.ts';

/** A row as soon as everything has been heard: what comes later may belong to it. */
type Slot = () => Row | undefined;

/** Takes the events of a run one by one and knows their rows at the end. Used once. */
export class RowBook {
  readonly #standing: Standing;
  readonly #slots: Slot[] = [];
  readonly #calls = new CallBook();
  readonly #policies = new PolicyBook();
  readonly #turns = new Map<number, EventOf<'turn/start'>>();
  readonly #answers: AnswerBook;
  readonly #gaps: GapsToDraw;
  /** The message or the ending that the last slot is about: what comes right behind it may take its place. */
  #said: number | undefined;
  #confirmed: EventOf<'cleanup/ended'> | undefined;
  /** Of the turn that was heard last. */
  #told: EventOf<'context/policy'>[] = [];

  constructor(standing: Standing) {
    this.#standing = standing;
    this.#answers = new AnswerBook(standing);
    this.#gaps = new GapsToDraw(standing);
  }

  hear(event: SessionEvent): void {
    for (const gap of this.#gaps.before(event.seq)) this.#slots.push(() => gap);
    const slots = this.#slots.length;
    const [said, confirmed] = [this.#said, this.#confirmed];
    if (!this.#hearPolicy(event)) this.#hearTalk(event, said, confirmed);
    // Only what stands directly before may be joined with what comes.
    if (this.#slots.length === slots) return;
    this.#said = event.type === 'user/message' ? event.seq : undefined;
    this.#confirmed = event.type === 'cleanup/ended' ? event : undefined;
  }

  rows(): readonly Row[] {
    const { end, length, readOnly } = this.#standing;
    for (const gap of this.#gaps.rest()) this.#slots.push(() => gap);
    if (end < length) this.#slots.push(() => ({ kind: 'newer', key: 'newer', seq: end, end }));
    if (readOnly) this.#slots.push(() => ({ kind: 'read-only', key: 'read-only', seq: length, readOnly }));
    return this.#slots.flatMap((slot) => slot() ?? []);
  }

  #hearPolicy(event: SessionEvent): boolean {
    switch (event.type) {
      case 'permission/preset':
      case 'sandbox/mode':
      case 'approval/policy': {
        const opened = this.#policies.hear(event);
        if (opened) this.#slots.push(opened);
        return true;
      }
      default:
        return false;
    }
  }

  #hearTalk(event: SessionEvent, said?: number, confirmed?: EventOf<'cleanup/ended'>): void {
    switch (event.type) {
      case 'user/message': {
        const waits = this.#standing.queued.includes(event.seq);
        return this.#put({ kind: 'said', key: keyOf(event), seq: event.seq, event, waits });
      }
      case 'turn/start':
        return this.#startTurn(event, said);
      case 'context/policy':
        // The line of the policy itself says the same to a person.
        return void this.#told.push(event);
      case 'step/start':
        return undefined; // What the agent was asked, and when: nothing that a person reads as a line of its own.
      case 'assistant/chunk':
      case 'assistant/message': {
        const opened = this.#answers.hear(event);
        if (opened) this.#slots.push(opened);
        return undefined;
      }
      default:
        this.#hearWork(event, confirmed);
    }
  }

  /** The line stands above the message that opened the turn. */
  #startTurn(event: EventOf<'turn/start'>, said: number | undefined): void {
    this.#turns.set(event.data.turn, event);
    this.#told = [];
    const row: Row = { kind: 'turn', key: keyOf(event), seq: event.seq, event, told: this.#told };
    if (said === event.data.prompt) this.#slots.splice(-1, 0, () => row);
    else this.#slots.push(() => row);
  }

  #hearWork(event: SessionEvent, confirmed?: EventOf<'cleanup/ended'>): void {
    switch (event.type) {
      case 'tool/call':
      case 'tool/started':
      case 'tool/result':
      case 'tool/nested-start':
      case 'tool/nested-result':
        return this.#hearCall(event);
      case 'approval/asked':
        this.#hearCall(event);
        break;
      case 'approval/decided':
        this.#calls.decide(event);
        break;
      case 'environment/started':
        this.#calls.startEnvironment(event);
        break;
      case 'cleanup/asked':
        this.#calls.askCleanup(event);
        this.#policies.end(event);
        break;
      case 'job/started':
        this.#calls.jobs.start(event);
        break;
      case 'job/ended':
        this.#calls.jobs.end(event);
        break;
      case 'session/end-seed':
        this.#calls.jobs.openAgain();
        break;
      case 'turn/stopping':
        this.#calls.stop(event.data.turn);
        break;
      case 'environment/ended':
        // One line for both: that it ended, and that nothing of it lives.
        if (confirmed && confirmed.data.cleanupId === event.data.cleanupId && !confirmed.data.failed) this.#slots.pop();
        break;
      default:
        break;
    }
    this.#hearFact(event, confirmed);
  }

  #hearCall(event: Parameters<CallBook['hear']>[0]): void {
    const card = this.#calls.hear(event);
    if (card === undefined) return;
    const { seq } = event;
    const call = () => this.#calls.call(card, this.#standing);
    this.#slots.push(() => ({ kind: 'card', key: `c:${card}`, seq, call: call() }));
  }

  #hearFact(event: SessionEvent, confirmed?: EventOf<'cleanup/ended'>): void {
    const known = { calls: this.#calls, turns: this.#turns, standing: this.#standing, confirmed };
    this.#slots.push(() => ({ kind: 'fact', key: keyOf(event), seq: event.seq, fact: factOf(event, known) }));
  }

  #put(row: Row): void {
    this.#slots.push(() => row);
  }
}

function keyOf({ seq }: SessionEvent): string {
  return `e${seq}`;
}
