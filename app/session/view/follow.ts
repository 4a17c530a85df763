import { DEPLOYMENT_DEFAULT } from '../../policy/fold.ts';
import { presetOf, type PresetTable } from '../../policy/presetTable.ts';
import type { SessionView, ViewContext } from '../view.ts';
import { NOTHING_SAID, type Folded } from './fold.ts';

/**
 * The fold as far as a view tells it. Whoever was given a view goes on from here with `fold`, and `toView` then shows what
 * main shows. Answers, calls and proposed calls are not told, and policy has the seq of the view instead of its own.
 */
export function foldedOf(view: SessionView): Folded {
  const { seq, title, turn, lastEnd, queued, approvals, environments, cleanups, children } = view;
  const { mode, policy, recordedPreset: preset } = view;
  return {
    ...NOTHING_SAID,
    policy: {
      mode: { value: mode, seq },
      policy: { value: policy, seq },
      ...(preset !== undefined && { preset: { value: preset, seq } }),
    },
    // Wherever it came from: a later title replaces it, a later message does not.
    ...(title !== '' && { title }),
    ...(turn !== undefined && { turn, turns: turn }),
    ...(lastEnd && { lastEnd }),
    queued,
    approvals,
    environments,
    cleanups,
    children,
  };
}

/** What stands outside of the log, for whoever has the table of presets from a reply. */
export function contextOf(table: PresetTable): ViewContext {
  return { presetOf: (policy) => presetOf(policy, table), fallback: DEPLOYMENT_DEFAULT };
}
