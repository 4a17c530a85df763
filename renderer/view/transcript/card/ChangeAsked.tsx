import { createTwoFilesPatch } from 'diff';
import { useMemo } from 'react';
import { DiffText } from '../text/DiffText.tsx';

/** Longer than this no difference is looked for. */
const TIMEOUT_MS = 40;

/** Two texts as a diff; too different to compare in time, they stand one after the other. */
export function ChangeAsked({ old, now }: { readonly old: string; readonly now: string }) {
  const diff = useMemo(() => differenceOf(old, now), [old, now]);
  return <DiffText text={diff} />;
}

function differenceOf(old: string, now: string): string {
  const patch = createTwoFilesPatch('', '', old, now, undefined, undefined, { context: 3, timeout: TIMEOUT_MS });
  // Without the lines that name the files: there are none.
  const at = patch?.indexOf('@@') ?? -1;
  if (patch === undefined || at < 0) return [...signed('-', old), ...signed('+', now)].join('\n');
  // Both are parts of a file: where they end says nothing of its end.
  return patch.slice(at).replaceAll(/^\\ .*\n/gm, '');
}

function signed(sign: string, text: string): readonly string[] {
  return text.split('\n').map((line) => sign + line);
}
