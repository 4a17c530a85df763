import { describe, expect, it } from 'vitest';
import { BusyClock } from './busyClock.ts';
import type { Timers } from './timers.ts';

class ManualTimers implements Timers {
  #now = 0;
  readonly #jobs = new Map<() => void, number>();

  now(): number {
    return this.#now;
  }

  after(ms: number, job: () => void): () => void {
    this.#jobs.set(job, this.#now + ms);
    return () => void this.#jobs.delete(job);
  }

  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 1) {
      this.#now += 1;
      for (const [job, at] of Array.from(this.#jobs)) {
        if (at > this.#now) continue;
        this.#jobs.delete(job);
        job();
      }
    }
  }

  get pending(): number {
    return this.#jobs.size;
  }
}

function start(active: () => number | undefined) {
  const timers = new ManualTimers();
  let expired = 0;
  const clock: BusyClock = new BusyClock({
    timers,
    limitMs: 1000,
    ping: () => {
      const answer = active();
      if (answer !== undefined) clock.answered(answer);
    },
    expired: () => (expired += 1),
  });
  return { timers, clock, expired: () => expired };
}

describe('the busy clock', () => {
  it('counts all time without a pending call', () => {
    const { timers, expired } = start(() => 0);
    timers.pass(999);
    expect(expired()).toBe(0);
    timers.pass(1);
    expect(expired()).toBe(1);
  });

  it('counts nothing while an idle program waits for a call', () => {
    const { timers, clock, expired } = start(() => 5);
    clock.callBegan();
    timers.pass(60_000);
    clock.callEnded();
    expect(expired()).toBe(0);
    timers.pass(1000);
    expect(expired()).toBe(1);
  });

  it('counts a loop that does not answer, whatever call is pending', () => {
    const { timers, clock, expired } = start(() => undefined);
    clock.callBegan();
    timers.pass(1300);
    expect(expired()).toBe(1);
  });

  it('counts what the event loop was active beside a pending call', () => {
    const { timers, clock, expired } = start(() => timers.now() / 2);
    clock.callBegan();
    timers.pass(1900);
    expect(expired()).toBe(0);
    timers.pass(700);
    expect(expired()).toBe(1);
  });

  it('leaves no timer when it is stopped', () => {
    const { timers, clock } = start(() => 0);
    timers.pass(500);
    clock.stop();
    expect(timers.pending).toBe(0);
  });
});
