import type { SessionId } from '../../app/base/id.ts';
import type { Notice, Push } from '../../app/contract/pushes.ts';
import type { StorageError } from '../../app/log/journal.ts';
import type { Reaped } from '../process/reaper.ts';

// What a person is told that is no event of a call. What is told of the settings file is in settingsChanges.ts.

export function noticePush(data: Notice): Push {
  return { push: 'notice', data };
}

export function reapedNotice({ pid, instance }: Reaped): Notice {
  const message = `A process that an earlier crash had left running (pid ${pid}) was ended.`;
  return { noticeId: `reaped-${instance}-${pid}`, level: 'warning', code: 'reaped', message };
}

/** A Session's log that cannot be written; without `trouble` that it is written again, which closes the notice. */
export function storageNotice(sessionId: SessionId, trouble: StorageError | undefined): Notice {
  const notice = { noticeId: `storage-${sessionId}`, level: 'error', code: 'storage', sessionId } as const;
  if (!trouble) return { ...notice, message: 'The log of this Session is written again.', closed: true };
  const advice = trouble.full ? 'Free some space: it' : 'It';
  return { ...notice, message: `${trouble.message}. ${advice} is tried again with the next event.` };
}

export function tornNotice(sessionId: SessionId, torn: { readonly bytes: number; readonly path: string }): Notice {
  const message = `1 incomplete record (${torn.bytes} bytes) was kept aside in ${torn.path}. Everything before it is complete.`;
  return { noticeId: `torn-${sessionId}`, level: 'warning', code: 'torn', message, sessionId };
}
