import { create } from 'zustand';

export type AgentChoice = 'demo' | 'script';

/** The form of a new Session as it is typed. It outlives its place and the window, until the Session is there. */
export interface NewDraft {
  readonly folder: string;
  /** The folder that was offered when `folder` was typed: another offer takes the field over again. */
  readonly over: string;
  /** Empty: the default of that folder. */
  readonly preset: string;
  readonly agent: AgentChoice;
  readonly script: string;
  readonly title: string;
}

const KEY = 'gatehouse.newSession';
const EMPTY: NewDraft = { folder: '', over: '', preset: '', agent: 'demo', script: '', title: '' };

export const useDraft = create<NewDraft>(() => stored());

export function write(changes: Partial<NewDraft>): void {
  useDraft.setState(changes);
  localStorage.setItem(KEY, JSON.stringify(useDraft.getState()));
}

export function forgetDraft(): void {
  useDraft.setState(EMPTY);
  localStorage.removeItem(KEY);
}

/** What is in the field: what was typed, or the folder that somebody asked for since. */
export function folderOf({ folder, over }: NewDraft, offered: string | undefined): string {
  return offered === undefined || over === offered ? folder : offered;
}

/** Another version may have written it: only texts of ours are taken. */
function stored(): NewDraft {
  const found = parsed(localStorage.getItem(KEY) ?? '');
  const text = (key: keyof NewDraft): string => {
    const value: unknown = Reflect.get(found, key);
    return typeof value === 'string' ? value : EMPTY[key];
  };
  return {
    folder: text('folder'),
    over: text('over'),
    preset: text('preset'),
    agent: text('agent') === 'script' ? 'script' : 'demo',
    script: text('script'),
    title: text('title'),
  };
}

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
