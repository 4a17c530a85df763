import { useEffect, useMemo, useRef, useState } from 'react';
import { useConnection } from '../../store/connection.ts';
import { loadNewer, loadOlder, useOpened, type OpenSession } from '../../store/opened.ts';
import { text } from '../../text/text.ts';
import { reportOf } from '../../transcript/report.ts';
import { copyText } from '../approval/copyText.ts';
import type { RowActions } from './RowContext.ts';
import type { GoTo, List, VirtualRows } from './useList.ts';

export interface OpenMenu {
  readonly key: string;
  readonly anchor: HTMLElement;
}

export interface RowState {
  readonly actions: RowActions;
  readonly opened: ReadonlySet<string>;
  readonly raw: ReadonlySet<string>;
  readonly menu: OpenMenu | undefined;
  readonly closeMenu: () => void;
  /** What was just done, for a while. */
  readonly said: string | undefined;
}

const SAID_MS = 4_000;

/** Which rows a person has opened, and what else they can ask of one. */
export function useRowActionsOf(
  { sessionId }: OpenSession,
  { list, goTo }: Pick<VirtualRows, 'list' | 'goTo'>,
): RowState {
  const [opened, setOpened] = useState<ReadonlySet<string>>(NONE);
  const [raw, setRaw] = useState<ReadonlySet<string>>(NONE);
  const [menu, setMenu] = useState<OpenMenu>();
  const [said, say] = useSaid();
  const actions = useMemo<RowActions>(
    () => ({
      sessionId,
      toggle: (key) => {
        setOpened(toggled(key));
        keepInView(list, key, goTo);
      },
      toggleRaw: (key) => {
        setRaw(toggled(key));
        keepInView(list, key, goTo);
      },
      copyReport: (key) => void copyReport(list, key).then(say),
      openMenu: (key, anchor) => setMenu({ key, anchor }),
      loadOlder,
      loadNewer,
    }),
    [sessionId, list, goTo, say],
  );
  const closeMenu = useMemo(() => () => setMenu(undefined), []);
  return { actions, opened, raw, menu, closeMenu, said };
}

const NONE: ReadonlySet<string> = new Set();

function toggled(key: string): (keys: ReadonlySet<string>) => ReadonlySet<string> {
  return (keys) => (keys.has(key) ? new Set([...keys].filter((other) => other !== key)) : new Set([...keys, key]));
}

function useSaid(): readonly [string | undefined, (said: string) => void] {
  const [said, setSaid] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const say = useMemo(
    () =>
      (now: string): void => {
        clearTimeout(timer.current);
        setSaid(now);
        timer.current = setTimeout(() => setSaid(undefined), SAID_MS);
      },
    [],
  );
  return [said, say];
}

/** What a person opens grows downwards: at the end of the list its head would be pushed out of view. */
function keepInView(list: List, key: string, goTo: GoTo): void {
  requestAnimationFrame(() => {
    const row = list.elementsCache.get(key);
    const top = list.scrollElement?.getBoundingClientRect().top;
    if (row && top !== undefined && row.getBoundingClientRect().top < top) goTo(key, 'start');
  });
}

async function copyReport(list: List, key: string): Promise<string> {
  const { opened } = useOpened.getState();
  const { transcript } = text();
  const seq = Number(list.elementsCache.get(key)?.dataset['seq']);
  if (opened.kind !== 'open' || Number.isNaN(seq)) return transcript.notCopied;
  const { host } = useConnection.getState();
  const report = reportOf(opened.events, { sessionId: opened.sessionId, seq, host });
  return (await copyText(report.text)) ? transcript.reportCopied(report.events) : transcript.notCopied;
}
