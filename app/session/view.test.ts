import { describe, expect, it } from 'vitest';
import type { CallId, SessionId } from '../base/id.ts';
import type { SessionDraft } from './events.ts';
import { parseHeader } from './header.ts';
import { recall } from './recall.ts';
import { committed, headerOf } from './session.fixture.ts';
import * as talk from './talk.fixture.ts';
import { toRow, toView } from './view.ts';
import { fold, NOTHING_SAID, type Folded } from './view/fold.ts';
import { foldAfterGap } from './view/narrow.ts';

function folded(drafts: readonly SessionDraft[]): Folded {
  return committed(drafts).reduce(fold, NOTHING_SAID);
}

function viewOf(drafts: readonly SessionDraft[]) {
  return toView({ header: headerOf(), length: drafts.length, folded: folded(drafts) });
}

const turn = [talk.said('hello\nworld'), talk.turnStart(1, 0)];

describe('view', () => {
  it('says of an empty log what the deployment default says', () => {
    expect(viewOf([])).toEqual({
      seq: -1,
      title: '',
      workspace: '/w',
      preset: 'custom',
      mode: 'workspace-write',
      policy: 'ask',
      state: 'idle',
      queued: [],
      approvals: [],
      environments: [],
      cleanups: [],
      children: [],
    });
  });

  it('lets waiting outrank running, running outrank failed, and calls only a broken turn failed', () => {
    const ended = (reason: 'error' | 'interrupted'): SessionDraft => ({ type: 'turn/end', data: { turn: 1, reason } });
    expect(viewOf([...turn, talk.asked('a1', 'c1')]).state).toBe('waiting');
    expect(viewOf([...turn, talk.asked('a1', 'c1'), talk.decided('a1')])).toMatchObject({ state: 'running', turn: 1 });
    expect(viewOf([...turn, ended('error')]).state).toBe('failed');
    expect(viewOf([...turn, ended('interrupted')]).state).toBe('idle');
    expect(viewOf([...turn, ended('error'), talk.turnStart(2, 0)]).state).toBe('running');
  });

  it('keeps a message unseen until a step has seen it or a hook refused it, also where its turn is over', () => {
    const answer = (decision: 'allow' | 'deny' | 'ask', prompt: number): SessionDraft => ({
      type: 'hook/ran',
      data: { hook: 'h', on: 'UserPromptSubmit', prompt, decision, exitCode: 0, signal: null, durationMs: 1 },
    });
    const log = [...turn, talk.turnEnd(1), talk.said('again'), talk.said('more')];
    const unseen = (...more: readonly SessionDraft[]) => folded([...log, ...more]).unseen;
    expect(unseen()).toEqual([0, 3, 4]);
    expect(viewOf(log).queued).toEqual([]);
    expect(unseen(answer('allow', 0), answer('deny', 3), answer('ask', 4))).toEqual([0]);
    expect(unseen(talk.turnStart(2, 3), talk.step(2, 1, 3))).toEqual([4]);
  });

  it('keeps a message queued until a step has seen it', () => {
    const log = [...turn, talk.step(1, 1, 1), talk.said('b', true), talk.said('c', true)];
    expect(viewOf(log).queued).toEqual([3, 4]);
    expect(viewOf([...log, talk.step(1, 2, 3)]).queued).toEqual([4]);
    expect(viewOf([...log, talk.turnEnd(1), talk.turnStart(2, 3)]).queued).toEqual([4]);
  });

  it('takes the title that was given last, else the header, else the first line of the first message', () => {
    const titled: SessionDraft = { type: 'session/title', data: { title: 'Named', by: 'person' } };
    expect(viewOf(turn).title).toBe('hello');
    expect(toView({ header: headerOf('s', { title: 'H' }), length: 2, folded: folded(turn) }).title).toBe('H');
    expect(viewOf([...turn, titled]).title).toBe('Named');
    expect(viewOf([talk.said('  \n '), talk.said('again')]).title).toBe('again');
  });

  it('lists what is open and drops what has ended', () => {
    const child = { childId: 's_c' as SessionId, callId: 'c1' as CallId, title: 'review', background: false };
    const log: SessionDraft[] = [
      talk.environment('e1'),
      talk.cleanup('k1'),
      { type: 'session/delegated', data: child },
    ];
    const open = viewOf(log);
    expect(open.environments).toMatchObject([{ id: 'e1', pid: 7, mode: 'workspace-write' }]);
    expect(open.cleanups).toMatchObject([{ cleanupId: 'k1', attempts: 1, since: 5 }]);
    expect(open.children).toMatchObject([{ sessionId: 's_c', title: 'review' }]);
    const failed: SessionDraft = {
      type: 'cleanup/ended',
      data: { cleanupId: 'k1' as never, phase: 'killing', attempts: 2, failed: { error: 'stuck' } },
    };
    expect(viewOf([...log, failed]).cleanups).toMatchObject([{ attempts: 2, failed: { error: 'stuck' } }]);
    expect(folded([...log, { type: 'session/end-seed', data: {} }])).toMatchObject({ environments: [], cleanups: [] });
  });

  it('gives the same reference back when an event changes nothing', () => {
    const state = folded([...turn, talk.step(1, 1, 1)]);
    for (const event of committed([talk.chunk('x'), talk.step(1, 1, 1)], 3)) {
      expect(fold(state, event)).toBe(state);
    }
  });

  it('makes the row of a list, damaged ones included', () => {
    const row = { id: 's_test' as SessionId, header: headerOf(), folded: folded(turn), updated: 9 };
    expect(toRow({ ...row, damaged: false })).toEqual({
      sessionId: 's_test',
      title: 'hello',
      workspace: '/w',
      state: 'running',
      preset: 'custom',
      updated: 9,
    });
    const { header: _unreadable, ...rest } = row;
    expect(toRow({ ...rest, folded: NOTHING_SAID, damaged: true })).toMatchObject({ title: '', damaged: true });
  });

  it('believes of what comes after a gap only what narrows policy', () => {
    const after = (drafts: readonly SessionDraft[]) => committed(drafts).reduce(foldAfterGap, NOTHING_SAID).policy;
    expect(after([talk.mode('danger-full-access')]).mode).toBeUndefined();
    expect(after([talk.mode('read-only'), talk.mode('workspace-write')]).mode?.value).toBe('read-only');
    const never: SessionDraft = { type: 'approval/policy', data: { policy: 'never' } };
    const ask: SessionDraft = { type: 'approval/policy', data: { policy: 'ask' } };
    expect(after([never, ask]).policy?.value).toBe('never');
    expect(after([{ type: 'permission/preset', data: { preset: 'p' } }]).preset).toBeUndefined();
  });
});

describe('header', () => {
  it('is read back as it was written', () => {
    const header = headerOf('s_1', { parent: 's_0' as SessionId, seedLength: 3, origin: 'fork', depth: 1, agent: 'a' });
    expect(parseHeader(JSON.parse(JSON.stringify(header)))).toEqual(header);
  });

  it.each(['sandboxMode', 'approvalPolicy'])('PER-16: is refused with the retired member %s', (key) => {
    expect(parseHeader({ ...headerOf(), [key]: 'x' })).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining(key),
    });
  });

  it.each([[null], [[]], [{}], [{ version: 0 }], [{ ...headerOf(), id: '' }], [{ ...headerOf(), workspace: 1 }]])(
    'is refused when it is %j',
    (value) => {
      expect(parseHeader(value)).toMatchObject({ kind: 'invalid' });
    },
  );

  it('PER-5: of a higher version is newer, whatever else it says', () => {
    expect(parseHeader({ version: 2, sandboxMode: 'x' })).toEqual({ kind: 'newer', version: 2 });
  });
});

describe('recall', () => {
  it('rebuilds a model request of any length from what is stored, page by page', async () => {
    const log = committed(Array.from({ length: 2500 }, (_, n) => talk.said(`${n}`)));
    const pages: number[] = [];
    const read = async (from: number, to: number) => {
      pages.push(to - from);
      return log.slice(from, to);
    };
    const messages = await recall(read, 2100);
    expect(messages).toHaveLength(2101);
    expect(messages.at(-1)).toEqual({ role: 'user', text: '2100' });
    expect(pages).toEqual([1000, 1000, 101]);
  });
});
