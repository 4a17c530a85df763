import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallId, CleanupId, SessionId } from '../../base/id.ts';
import { CUSTOM, DEFAULT_PRESETS, type PresetTable } from '../../policy/presetTable.ts';
import type { SessionDraft, SessionEvent, TurnEndReason } from '../events.ts';
import { committed, headerOf } from '../session.fixture.ts';
import * as talk from '../talk.fixture.ts';
import { toView, type SessionView } from '../view.ts';
import { fold, NOTHING_SAID, type Folded } from './fold.ts';
import { contextOf, foldedOf } from './follow.ts';

/** Two presets of one pair: which of them is shown depends on what was chosen. */
const TWINS: PresetTable = [
  ...DEFAULT_PRESETS,
  { name: 'careful', sandbox: 'read-only', approval: 'ask', label: 'Careful', description: '' },
];

const mode = fc.constantFrom(...(['read-only', 'workspace-write', 'danger-full-access'] as const));
const number = fc.nat(3);
const title = fc.constantFrom('Named', 'Other');
const REASONS: readonly TurnEndReason[] = ['completed', 'aborted', 'blocked', 'error', 'max-tokens', 'interrupted'];

const draft: fc.Arbitrary<SessionDraft> = fc.oneof(
  fc
    .tuple(fc.constantFrom('hello\nworld', '  ', 'again'), fc.boolean())
    .map(([text, queued]) => talk.said(text, queued)),
  fc.tuple(number, fc.nat(12)).map(([turn, prompt]) => talk.turnStart(turn, prompt)),
  fc.tuple(number, fc.nat(12)).map(([turn, through]) => talk.step(turn, 1, through)),
  fc
    .tuple(number, fc.constantFrom(...REASONS))
    .map(([turn, reason]): SessionDraft => ({ type: 'turn/end', data: { turn, reason } })),
  number.map((id) => talk.answer('text', `c${id}`)),
  number.map((id) => talk.call(`c${id}`)),
  number.map((id) => talk.nested(`c${id}:1`, `c${id}`)),
  number.map((id) => talk.result(`c${id}`)),
  number.map((id) => talk.asked(`a${id}`, `c${id}`)),
  number.map((id) => talk.decided(`a${id}`)),
  fc.tuple(number, mode).map(([id, under]) => talk.environment(`e${id}`, under)),
  number.map((id) => talk.environmentEnd(`e${id}`)),
  number.map((id) => talk.cleanup(`k${id}`)),
  fc
    .tuple(number, fc.boolean())
    .map(([id, broken]): SessionDraft => ({ type: 'cleanup/ended', data: cleanupEnded(`k${id}`, broken) })),
  mode.map(talk.mode),
  fc
    .constantFrom('ask', 'never')
    .map((policy): SessionDraft => ({ type: 'approval/policy', data: { policy } as { policy: 'ask' | 'never' } })),
  fc
    .constantFrom('read-only', 'careful', 'gone')
    .map((preset): SessionDraft => ({ type: 'permission/preset', data: { preset } })),
  title.map((text): SessionDraft => ({ type: 'session/title', data: { title: text, by: 'person' } })),
  number.map((id): SessionDraft => ({ type: 'session/delegated', data: delegated(`s${id}`) })),
  fc.constant<SessionDraft>({ type: 'session/end-seed', data: {} }),
  fc.constant(talk.chunk('x')),
);

describe('foldedOf', () => {
  it('lets whoever was given a view at any event go on and see what main sees', () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 24 }), fc.option(title, { nil: undefined }), (drafts, name) => {
        const header = headerOf('s', name === undefined ? {} : { title: name });
        const log = committed(drafts);
        const viewAt = (length: number, folded: Folded, table = TWINS) =>
          toView({ header, length, folded }, contextOf(table));
        const folds = foldsOf(log);
        for (const [length, folded] of folds.entries()) {
          const view = viewAt(length, folded);
          const followed = log.slice(length).reduce(fold, foldedOf(view));
          // The table may have changed as well since the view was given.
          for (const table of [TWINS, DEFAULT_PRESETS, []]) {
            expect(viewAt(log.length, followed, table)).toEqual(viewAt(log.length, folds.at(-1) ?? folded, table));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the choice that a view does not show because its pair is not in force', () => {
    const drafts = [talk.mode('read-only'), chosen('careful'), talk.mode('workspace-write')];
    const view = viewOf(drafts);
    expect(view).toMatchObject({ preset: 'workspace-write', recordedPreset: 'careful' });
    const back = committed([talk.mode('read-only')], 3).reduce(fold, foldedOf(view));
    expect(toView({ header: headerOf(), length: 4, folded: back }, contextOf(TWINS)).preset).toBe('careful');
  });
});

describe('contextOf', () => {
  it('shows the choice while its pair is in force, else the first preset of the pair, else custom', () => {
    expect(viewOf([talk.mode('read-only'), chosen('careful')]).preset).toBe('careful');
    expect(viewOf([talk.mode('read-only'), chosen('gone')]).preset).toBe('read-only');
    expect(viewOf([talk.mode('danger-full-access')]).preset).toBe(CUSTOM);
  });
});

function viewOf(drafts: readonly SessionDraft[]): SessionView {
  const folded = committed(drafts).reduce(fold, NOTHING_SAID);
  return toView({ header: headerOf(), length: drafts.length, folded }, contextOf(TWINS));
}

/** The fold after 0, 1, 2 … events. */
function foldsOf(log: readonly SessionEvent[]): readonly Folded[] {
  const folds: Folded[] = [NOTHING_SAID];
  for (const event of log) folds.push(fold(folds.at(-1) ?? NOTHING_SAID, event));
  return folds;
}

function chosen(preset: string): SessionDraft {
  return { type: 'permission/preset', data: { preset } };
}

function cleanupEnded(id: string, broken: boolean) {
  const data = { cleanupId: id as CleanupId, phase: broken ? 'killing' : 'released', attempts: 2 } as const;
  return broken ? { ...data, failed: { error: 'stuck' } } : data;
}

function delegated(childId: string) {
  return { callId: 'c1' as CallId, childId: childId as SessionId, title: 'review', background: false };
}
