import type { shellEn } from './shell.en.ts';
import type { Translation } from './translation.ts';

export const shellZh: Translation<typeof shellEn> = {
  navigation: '位置与会话',
  approvals: '批准',
  cleanup: '清理',
  settings: '设置',
  newSession: '新建会话',
  search: '搜索会话',
  sessions: '会话',
  noSessions: '还没有会话。',
  noMatch: '没有会话的标题或文件夹包含此内容。',
  noFolder: '未知文件夹',
  waitingCount: (n) => `${n} 项等待您处理`,
  cleanupCount: (active, failed) =>
    [active > 0 && `${active} 项正在清理`, failed > 0 && `${failed} 项失败`].filter(Boolean).join('，'),
  hidden: (n) => `${n} 个会话`,
  waits: {
    program: '一个程序',
    command: '一条命令',
    file: '一个文件',
    call: '一次调用',
  },
  waitsFor: (what, mode) => (mode === undefined ? what : `${what}，${mode}`),
  questions: (n) => `${n} 个问题`,
  because: (state, detail) => `${state}：${detail}`,
  beneath: (state) => `其下：${state}`,
  damaged: '已损坏，只读',
  childOf: (title) => `“${title}”的子会话`,
  inheritedFrom: (title, seq) => `继承自“${title}”，事件 ${seq}`,
  noAgent: '无代理',
  demoAgent: '离线演示',
  scriptAgent: (name) => `脚本 ${name}`,
  environments: (n) => `${n} 个环境`,
  cleaningUp: (n) => `正在清理 ${n} 项`,
  clean: '已清理',
  cleanupFailed: '清理失败',
  stop: '停止',
  stopping: '正在停止…',
  stopFailed: (why) => `未能停止：${why}`,
  readOnly: {
    'open-elsewhere': ({ holder }) =>
      `只读：此会话已在别处打开${holder === undefined ? '' : `（${holder}）`}。请先在那里关闭，然后重试。`,
    damaged: ({ line }) =>
      `只读：日志${line === undefined ? '' : `在第 ${line} 行`}已损坏。可读取的内容已显示，未做任何更改。请在同一文件夹中新建会话继续。`,
    newer: () => '只读：此日志由更新版本的 Gatehouse 写入。此版本能理解的内容已显示。请更新 Gatehouse 后继续。',
  },
  tryAgain: '重试',
};
