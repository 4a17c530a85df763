import { browser, type Fault } from './fault.ts';

const PRESS = 'approvalsPress.spec.ts';
const KEYS = 'approvalsKeys.spec.ts';

/** Of the window: what a person would be wronged by. */
export const windowFaults: readonly Fault[] = [
  {
    name: 'a question can be answered as soon as it is there',
    edits: [{ file: 'renderer/view/approval/useArmed.ts', from: 'const ARM_MS = 700', to: 'const ARM_MS = 0' }],
    watchers: browser(PRESS, 'not armed before'),
  },
  {
    name: 'a window that comes back to the front is armed already',
    edits: [{ file: 'renderer/view/approval/useArmed.ts', from: '`${turn} ${shown}`', to: '`${turn > -1} ${shown}`' }],
    watchers: browser(PRESS, 'every return starts that anew'),
  },
  {
    name: 'Enter allows',
    edits: [{ file: 'renderer/view/approval/Actions.tsx', from: '            enter={false}', to: '            enter' }],
    watchers: browser(PRESS, 'Enter never allows'),
  },
  {
    name: 'a held key decides',
    edits: [
      {
        file: 'renderer/view/approval/press.ts',
        from: 'if (held || composing || token === undefined',
        to: 'if (composing || token === undefined',
      },
    ],
    watchers: browser(PRESS, 'held from before'),
  },
  {
    name: 'clicks of scripts decide',
    edits: [
      {
        file: 'renderer/view/approval/PressButton.tsx',
        from: 'if (isTrusted) hear({ kind: ',
        to: 'onPress(); if (isTrusted) hear({ kind: ',
      },
    ],
    watchers: browser(PRESS, 'no person made'),
  },
  {
    name: 'Esc denies',
    edits: [
      {
        file: 'renderer/view/approval/useAnswers.ts',
        from: '  const { altKey, ctrlKey,',
        to: `  if (event.key === 'Escape') answers.deny();\n  const { altKey, ctrlKey,`,
      },
    ],
    watchers: browser(KEYS, '9-f: an arriving question'),
  },
  {
    name: 'a question takes the focus when it comes',
    edits: [
      {
        file: 'renderer/view/approval/Question.tsx',
        from: '<h2 id={id} tabIndex={-1} data-heading>',
        to: '<h2 id={id} tabIndex={-1} data-heading ref={(heading) => heading?.focus()}>',
      },
    ],
    watchers: browser(KEYS, 'leaves the focus where it is'),
  },
  {
    name: 'what was answered elsewhere stays open here',
    edits: [
      {
        file: 'renderer/store/approvals.ts',
        from: `if (change.change === 'decided') return end({ approval, ending: change });`,
        to: `if (change.change === 'decided') return;`,
      },
    ],
    watchers: browser('approvals.spec.ts', '9-e: answered in the second'),
  },
  {
    name: 'a gap in the numbers of pushes is ignored',
    edits: [
      {
        file: 'renderer/store/opened.ts',
        from: 'if (fresh[0]?.seq === opened.length) become',
        to: 'if (fresh.length > 0) become',
      },
    ],
    watchers: browser('missedPush.browser.spec.ts', 'missed an event'),
  },
  {
    name: 'full access is switched to without a question',
    edits: [
      {
        file: 'renderer/view/policy/PresetSelect.tsx',
        from: 'if (preset && asksFirst(preset, now)) setAsked(preset);',
        to: 'if (preset && asksFirst(preset, now) && preset.label === undefined) setAsked(preset);',
      },
    ],
    watchers: browser('presetDanger.spec.ts', 'full access is asked about'),
  },
  {
    name: 'leaving the question about full access switches',
    edits: [
      {
        file: 'renderer/view/policy/DangerDialog.tsx',
        from: 'onOpenChange={(open) => !open && onClose()}',
        to: 'onOpenChange={(open) => !open && onConfirm()}',
      },
    ],
    watchers: browser('presetDanger.spec.ts', 'PRE-10: full access dismissed'),
  },
  {
    name: 'Enter that belongs to an input method sends',
    edits: [
      {
        file: 'renderer/view/composer/keys.ts',
        from: '&& !isComposing && keyCode !== PROCESSED',
        to: '&& (!isComposing || keyCode >= PROCESSED)',
      },
    ],
    watchers: browser('composer.spec.ts', 'belongs to an input method'),
  },
  {
    name: 'a draft is forgotten with the page',
    edits: [
      {
        file: 'renderer/store/drafts.ts',
        from: 'localStorage.setItem(KEY + sessionId, text)',
        to: 'localStorage.setItem(KEY, text)',
      },
    ],
    watchers: browser('composer.spec.ts', 'survives a reload'),
  },
];
