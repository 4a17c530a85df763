import { readFile, writeFile } from 'node:fs/promises';
import type { SessionEvent } from '../app/session/events.ts';
import { sha256 } from './base/sha256.ts';
import { frame } from './session/line.ts';

/** An event by its type and the call that it is about. */
export type Place = readonly [SessionEvent['type'], string];

/** A stored log, and how somebody who knows how to make its chain of hashes right would forge it. */
export class StoredLog {
  readonly path: string;
  readonly text: string;
  readonly events: readonly SessionEvent[];

  static async read(path: string): Promise<StoredLog> {
    return new StoredLog(path, await readFile(path, 'utf8'));
  }

  private constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
    this.events = text.trimEnd().split('\n').slice(1).map(eventOf);
  }

  /** Stores these events instead. */
  async store(events: readonly SessionEvent[]): Promise<void> {
    const header = this.text.slice(0, this.text.indexOf('\n'));
    const { bytes } = frame(sha256(header), events);
    await writeFile(this.path, Buffer.concat([Buffer.from(`${header}\n`), bytes]));
  }

  seqOf([type, callId]: Place): number {
    const seq = this.events.findIndex((event) => event.type === type && this.#callOf(event) === callId);
    if (seq < 0) throw new Error(`There is no ${type} of ${callId}`);
    return seq;
  }

  approvalOf(callId: string): string {
    const event = this.events[this.seqOf(['approval/asked', callId])];
    return event?.type === 'approval/asked' ? event.data.id : '';
  }

  environmentOf(callId: string): string {
    const event = this.events[this.seqOf(['tool/started', callId])];
    return (event?.type === 'tool/started' && event.data.environmentId) || '';
  }

  /** With one event said otherwise. */
  replaced(at: Place, from: RegExp, to: string): readonly SessionEvent[] {
    const seq = this.seqOf(at);
    return this.events.map((event) => {
      if (event.seq !== seq) return event;
      const [before, after] = [JSON.stringify(event), JSON.stringify(event).replace(from, to)];
      if (before === after) throw new Error(`${String(from)} is not in ${before.slice(0, 400)}`);
      return JSON.parse(after) as SessionEvent;
    });
  }

  /** With two events in each other's place; the numbers stay. */
  swapped(at: Place, with_: Place): readonly SessionEvent[] {
    const [one, other] = [this.seqOf(at), this.seqOf(with_)];
    const from = (seq: number) => (seq === one ? other : seq === other ? one : seq);
    return this.events.map(({ seq, time }) => ({ ...this.events[from(seq)], seq, time }) as SessionEvent);
  }

  #callOf(event: SessionEvent): string | undefined {
    const { data } = event;
    if (event.type === 'approval/decided') {
      const asked = this.events.find((each) => each.type === 'approval/asked' && each.data.id === event.data.id);
      return asked?.type === 'approval/asked' ? asked.data.callId : undefined;
    }
    if (event.type === 'environment/started' || event.type === 'environment/ended') {
      // The first that ran in it.
      const ran = this.events.find(
        (each) => each.type === 'tool/started' && each.data.environmentId === event.data.environmentId,
      );
      return ran?.type === 'tool/started' ? ran.data.callId : undefined;
    }
    return 'callId' in data ? data.callId : undefined;
  }
}

function eventOf(line: string): SessionEvent {
  const { hash: _hash, ...event } = JSON.parse(line) as SessionEvent & { readonly hash: string };
  return event;
}
