import { beforeEach, expect, it, vi } from 'vitest';
import type { SessionId } from '../../../app/base/id.ts';
import type { Reply } from '../../../app/contract/reply.ts';

const replies: ((reply: Reply) => void)[] = [];
const bridge = {
  request: () => new Promise<Reply>((resolve) => replies.push(resolve)),
  onPush: () => () => undefined,
};

/** Its keys are its own members, as a browser has it; `full`: nothing more can be stored. */
function storage(full = false) {
  const methods = {
    getItem: (key: string) => (items[key] as string | undefined) ?? null,
    removeItem: (key: string) => void delete items[key],
    setItem: (key: string, text: string) => {
      if (full) throw new Error('It is full');
      items[key] = text;
    },
  };
  const items: Record<string, unknown> = Object.create(methods);
  return items;
}

const id = 's_1' as SessionId;
const faults: unknown[] = [];

/** A window that is loaded anew keeps its storages. */
async function load() {
  vi.resetModules();
  const [sending, drafts] = [await import('./sending.ts'), await import('../../store/drafts.ts')];
  return { ...sending, ...drafts };
}

beforeEach(() => {
  replies.length = 0;
  faults.length = 0;
  vi.stubGlobal('window', { gatehouse: bridge });
  vi.stubGlobal('reportError', (fault: unknown) => faults.push(fault));
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
});

it('a window that is loaded anew while a message is recorded has it in its field, before what was typed since', async () => {
  const before = await load();
  before.setDraft(id, 'sent');
  void before.sendDraft(id);
  before.setDraft(id, 'since');
  const after = await load();
  expect(after.useDrafts.getState().texts[id]).toBe('sent\nsince');
});

it('what was recorded does not come back', async () => {
  const before = await load();
  before.setDraft(id, 'sent');
  const sent = before.sendDraft(id);
  replies[0]?.({ ok: true, output: { seq: 1 } });
  await sent;
  expect((await load()).useDrafts.getState().texts[id]).toBeUndefined();
});

it('a text that is too long to be stored stays in the field when it was not recorded, and can be sent again', async () => {
  vi.stubGlobal('localStorage', storage(true));
  const window = await load();
  window.setDraft(id, 'long');
  const sent = window.sendDraft(id);
  replies[0]?.({ ok: false, code: 'storage', message: 'The disk is full.' });
  await sent;
  expect(window.useDrafts.getState().texts[id]).toBe('long');
  expect(window.useSending.getState().sending.get(id)).toMatchObject({ kind: 'failed' });
});
