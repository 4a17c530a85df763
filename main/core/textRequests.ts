import { RequestError } from '../../app/contract/reply.ts';
import type { KeptTexts } from '../../app/session/keptTexts.ts';
import type { Core } from '../coreShape.ts';
import { NEVER, type Lookup } from './lookup.ts';

const PAGE = 64 * 1024;

/** The request `text.read`. */
export function textRequests(texts: KeptTexts, lookup: Lookup): Core['texts'] {
  return {
    read: async ({ sessionId, blob, from = 0, bytes = PAGE }) => {
      const page = await texts.page(sessionId, blob, { from, bytes }, NEVER);
      if (page) return page;
      // An unknown Session says so itself; it is looked for only now, because a page must not cost a look at its log.
      if (!lookup.live(sessionId)) await lookup.stored(sessionId);
      throw new RequestError('not-found', `This Session keeps no text ${blob}.`);
    },
  };
}
