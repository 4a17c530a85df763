import { useMemo } from 'react';
import { contextOf } from '../../../app/session/view/follow.ts';
import { toView, type SessionView } from '../../../app/session/view.ts';
import { useOpened } from '../../store/opened.ts';
import { usePolicy } from '../../store/policy.ts';

/** One value of the shown Session as its log says, with the presets of the day. Undefined until it is open. */
export function useView<T extends string | number | undefined>(select: (view: SessionView) => T): T | undefined {
  const presets = usePolicy((state) => state.presets);
  const context = useMemo(() => contextOf(presets), [presets]);
  return useOpened(({ opened }) => (opened.kind === 'open' ? select(toView(opened, context)) : undefined));
}
