import type { SessionId } from '../../app/base/id.ts';
import type { Sourced } from '../../app/policy/events.ts';
import type { Dictionary } from '../text/text.ts';
import { wordOf } from './wordOf.ts';

// What the sentences of the thin rows are made with.

/** What a thin row says. `text` is a sentence of the dictionary with its weight in it (emphasis.ts). */
export interface FactText {
  readonly text: string;
  readonly tone?: 'danger';
  /** How it stands now. */
  readonly tag?: string;
  /** The event that another one names as its cause. */
  readonly cause?: number;
  readonly child?: SessionId;
}

/** Names that stand outside of the log. */
export interface Names {
  readonly preset: (name: string) => string;
  readonly session: (id: SessionId) => string | undefined;
}

export function modeWord(mode: string, { common }: Dictionary): string {
  return wordOf(common.modes, mode) ?? mode;
}

export function byWord({ source, from }: Sourced, { transcript: { by } }: Dictionary, names: Names): string {
  switch (source) {
    case 'creation':
      return by.creation;
    case 'webhook':
      return by.webhook;
    case 'delegation':
      return by.inherited((from && names.session(from.sessionId)) ?? by.aParent);
    default:
      return by.person;
  }
}

/** One after the other, with a space between where the script has one: a full-width stop brings its own. */
export function sentences(...parts: readonly (string | false | undefined)[]): string {
  return parts.reduce<string>((before, part) => {
    if (part === undefined || part === false || part === '') return before;
    return before === '' || /[。！？]$/.test(before) ? before + part : `${before} ${part}`;
  }, '');
}
