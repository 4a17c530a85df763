import { describe, expect, it } from 'vitest';
import type { Push } from '../../app/contract/pushes.ts';
import { id, log, nestedResult, result, said } from '../transcript/log.fixture.ts';
import { Inbox, sorted } from './inbox.ts';

function note(noteId: string): Push {
  return {
    push: 'note',
    data: { noteId, kind: 'run-ended', sessionId: id.session('s1'), title: '' },
  };
}

function output(sessionId: string, text: string): Push {
  return {
    push: 'output',
    data: { sessionId: id.session(sessionId), callId: id.call('c1'), stream: 'stdout', text },
  };
}

/** Its frames are drawn by hand. */
function setUp() {
  const jobs: (() => void)[] = [];
  const taken: (readonly Push[])[] = [];
  const inbox = new Inbox(
    (job) => void jobs.push(job),
    (pushes) => void taken.push(pushes),
  );
  const draw = (): void => jobs.splice(0).forEach((job) => job());
  return { inbox, taken, draw };
}

describe('pushes', () => {
  it('are taken over together, in their order, once a frame', () => {
    const { inbox, taken, draw } = setUp();
    inbox.add(note('1'));
    inbox.add(note('2'));
    expect(taken).toEqual([]);
    draw();
    inbox.add(note('3'));
    draw();
    draw();
    expect(taken).toEqual([[note('1'), note('2')], [note('3')]]);
  });

  it('are held while lists are asked for, those of before and a frame that was due among them', () => {
    const { inbox, taken, draw } = setUp();
    inbox.add(note('1'));
    const [first, second] = [inbox.hold(), inbox.hold()];
    draw();
    inbox.add(note('2'));
    first();
    draw();
    expect(taken).toEqual([]);
    second();
    draw();
    expect(taken).toEqual([[note('1'), note('2')]]);
  });
});

describe('what calls print', () => {
  it('is kept of the Session that is shown alone: another may have a call by the same id', () => {
    const pushes = [output('s1', 'a'), output('s2', 'b'), output('s1', 'c')];
    expect(sorted(pushes, id.session('s1')).output).toEqual(new Map([['c1', 'ac']]));
    expect(sorted(pushes, undefined).output.size).toBe(0);
  });

  it('is over with the result of the call, yet not with that of one that has started a job', () => {
    const drafts = [result('c1', 'bash'), result('c2', 'job_start'), nestedResult('p:1', 'p', 'read')];
    const pushes = log([...drafts, nestedResult('p:2', 'p', 'job_start')]).map((event): Push => ({
      push: 'event',
      data: { sessionId: id.session('s1'), event },
    }));
    expect(sorted(pushes, id.session('s1')).ended).toEqual(['c1', 'p:1']);
  });

  it('does not hide the events of any Session', () => {
    const pushes = log([said('x')]).map((event): Push => ({
      push: 'event',
      data: { sessionId: id.session('s2'), event },
    }));
    expect(Array.from(sorted(pushes, id.session('s1')).events.keys())).toEqual(['s2']);
  });
});
