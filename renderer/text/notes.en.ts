import type { Note } from '../../app/contract/host.ts';

/** What a notification says: the Session and that something is, never what it is. */
export const notesEn = {
  'approval-needed': (title: string) => `Approval needed: ${title}`,
  'run-failed': (title: string) => `Run failed: ${title}`,
  'run-ended': (title: string) => `Run ended: ${title}`,
  'cleanup-failed': (title: string) => `Cleanup failed: ${title}`,
  'lease-wait': (title: string) => `Waits for a lease: ${title}`,
} satisfies Record<Note['kind'], (title: string) => string>;
