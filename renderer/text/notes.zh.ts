import type { notesEn } from './notes.en.ts';
import type { Translation } from './translation.ts';

export const notesZh: Translation<typeof notesEn> = {
  'approval-needed': (title) => `需要批准：${title}`,
  'run-failed': (title) => `运行失败：${title}`,
  'run-ended': (title) => `运行结束：${title}`,
  'cleanup-failed': (title) => `清理失败：${title}`,
  'lease-wait': (title) => `等待租约：${title}`,
};
