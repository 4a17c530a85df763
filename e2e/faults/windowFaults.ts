import { browser, unit, type Fault } from './fault.ts';

/** Of the window: what a person would be wronged by. */
export const windowFaults: readonly Fault[] = [
  {
    name: 'an answer counts at once',
    edits: [{ file: 'renderer/view/approval/useArmed.ts', from: 'const ARM_MS = 700', to: 'const ARM_MS = 0' }],
    watchers: browser('approvals.spec.ts', 'arm'),
  },
  {
    name: 'a held key decides',
    edits: [
      {
        file: 'renderer/view/approval/press.ts',
        from: 'if (held || composing || token === undefined',
        to: 'if (token === undefined',
      },
    ],
    watchers: unit('renderer/view/approval/press.test.ts'),
  },
];
