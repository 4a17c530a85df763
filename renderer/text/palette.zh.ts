import type { paletteEn } from './palette.en.ts';
import type { Translation } from './translation.ts';

export const paletteZh: Translation<typeof paletteEn> = {
  title: '命令与会话',
  placeholder: '输入命令或会话名称',
  nothing: '没有匹配的名称。',
  commands: {
    palette: '命令与会话',
    approval: '前往待处理的批准',
    newSession: '新建会话',
    search: '搜索会话',
    composer: '撰写消息',
    preset: '更改预设',
    stop: '停止此会话',
    nextRegion: '窗口的下一部分',
    previousRegion: '窗口的上一部分',
    cleanup: '此会话的清理',
    environments: '此会话的环境',
    jobs: '此会话的任务',
    proof: '验证此会话的沙箱',
    approvals: '全部批准',
    allCleanups: '全部清理',
    settings: '设置',
    welcome: '入门步骤',
  },
};
