import type { composerEn } from './composer.en.ts';
import type { Translation } from './translation.ts';

export const composerZh: Translation<typeof composerEn> = {
  message: '消息',
  say: '请说明要做什么',
  sayQueued: '消息，将排队至本轮的下一步',
  sayNext: '消息，将与排队的内容一起发送',
  recording: '正在记录…',
  notSent: (why) => `未发送：${why} 您的文字仍在此处。`,
  queued: '排队的消息',
  queuedHere: '排队至本轮的下一步',
  queuedNext: '等待您的下一条消息',
  queuedUnknown: '一条排队的消息',
  readOnly: '此会话为只读，无法发送。',
  failed: '无法打开此会话，无法发送。',
  waitsForCleanup: (what) => `正在等待清理${what}`,
  thing: (what, id) => `${what} ${id}`,
  stoppingTurn: '正在停止',
};
