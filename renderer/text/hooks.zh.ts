import { plain, strong } from '../transcript/emphasis.ts';
import type { hooksEn } from './hooks.en.ts';
import type { Translation } from './translation.ts';

export const hooksZh: Translation<typeof hooksEn> = {
  points: {
    PreToolUse: '调用之前',
    PostToolUse: '调用之后',
    SessionStart: '会话开始时',
    UserPromptSubmit: '收到消息时',
    Stop: '本轮结束时',
  },
  at: (hook, point) => `${plain(hook)}（${point}）`,
  named: (hook) => `钩子“${hook}”`,
  about: (hook, tool, what) => `${hook}，${plain(tool)}${what === '' ? '' : `“${plain(what)}”`}`,
  said: (hook, said) => `${hook}：${strong(said)}。`,
  decisions: { allow: '无异议', deny: '已拒绝', ask: '要求询问用户' },
  nothing: '未作决定',
  noAnswer: '没有回答',
  reason: (reason) => `原因：“${plain(reason)}”`,
  tells: (context) => `告知代理：“${plain(context)}”`,
};
