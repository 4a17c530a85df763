import type { Completion } from '../../app/ptc/nodeProvider.ts';
import type { DoneFrame } from './frames.ts';
import type { Positions } from './positions.ts';
import type { ProgramLost } from './programRun.ts';

/** How a program ended, as the port tells it. */
export function completionOf(
  end: DoneFrame | ProgramLost,
  spoken: Pick<Completion, 'logs' | 'display' | 'late'>,
  positions: Positions,
): Completion {
  if (end.t === 'lost') {
    const { reason, exitCode, signal } = end;
    return { ...spoken, kept: false, kind: 'lost', reason, exitCode, signal };
  }
  switch (end.kind) {
    case 'value':
      return { ...spoken, kept: true, kind: 'value', value: end.value };
    case 'inspected':
      return { ...spoken, kept: true, kind: 'inspected', text: end.text };
    case 'stopped':
      return { ...spoken, kept: true, kind: 'stopped' };
    case 'exception': {
      // What is retained is still the value from before: a retry must not take it for the new one.
      const note = end.unchanged.length === 0 ? '' : `\nNot updated: ${end.unchanged.join(', ')}`;
      const stack = positions.correct(end.stack) + note;
      return { ...spoken, kept: true, kind: 'exception', name: end.name, message: end.message + note, stack };
    }
  }
}
