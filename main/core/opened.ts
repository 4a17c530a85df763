import { RequestError } from '../../app/contract/reply.ts';
import type { Header } from '../../app/session/header.ts';
import type { Damage, StoredSession } from '../../app/session/store.ts';
import { toView, type ReadOnly, type SessionView, type ViewContext } from '../../app/session/view.ts';
import type { LiveSession } from './live.ts';

/** A Session that is open here, or may only be looked at. */
export type Opened = { readonly kind: 'live'; readonly live: LiveSession } | OpenedReadOnly;

export interface OpenedReadOnly {
  readonly kind: 'read-only';
  readonly stored: Readable;
  readonly view: SessionView;
}

/** A stored Session whose first line could be read. */
export type Readable = StoredSession & { readonly header: Header };

/** Refuses what cannot even be looked at: a log of a newer program, or one without its header. */
export function readable(stored: StoredSession): Readable {
  const { id, header, damage } = stored;
  if (damage?.kind === 'newer') throw new RequestError('newer-version', damage.message);
  if (!header) throw new RequestError('damaged', `The first line of this Session's log cannot be read (${id}).`);
  return { ...stored, header };
}

/** Why a log may be read and not written, whoever has it open; a torn tail is mended when it is opened for writing. */
export function damageOf(damage: Damage | undefined): ReadOnly | undefined {
  return damage?.kind === 'damaged' ? { reason: 'damaged', line: damage.line } : undefined;
}

export function openedReadOnly(stored: Readable, readOnly: ReadOnly, context: ViewContext): OpenedReadOnly {
  return { kind: 'read-only', stored, view: toView({ ...stored, readOnly }, context) };
}

/** The live Session; refuses with `read-only` or `damaged` where there is none to write to. */
export function liveOf(opened: Opened): LiveSession {
  if (opened.kind === 'live') return opened.live;
  const { readOnly } = opened.view;
  if (readOnly?.reason === 'damaged') {
    const message = `The log of this Session is damaged at line ${readOnly.line}: it can be read, not written.`;
    throw new RequestError('damaged', message);
  }
  throw new RequestError('read-only', `This Session is open elsewhere (${readOnly?.holder ?? 'another process'}).`);
}
