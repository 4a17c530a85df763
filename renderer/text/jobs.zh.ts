import { plain, strong } from '../transcript/emphasis.ts';
import type { jobsEn } from './jobs.en.ts';
import type { Translation } from './translation.ts';

export const jobsZh: Translation<typeof jobsEn> = {
  jobs: '任务',
  none: '此会话没有正在运行的任务。代理通过调用启动任务，让其在各轮之外继续运行。',
  states: { running: '运行中', ending: '正在结束', ended: '已结束' },
  stop: '停止',
  stopOf: (title) => `停止“${title}”`,
  output: '从头开始的输出',
  readOutput: '从头读取',
  readMore: '继续读取',
  nothingYet: '尚未输出任何内容。',
  nothing: '没有输出任何内容。',
  count: (n) => `${n} 个任务`,
  unnamed: (id) => `任务 ${id}`,
  named: (title) => `任务“${title}”`,
  phases: {
    running: '运行中',
    ending: '正在结束',
    ended: '已结束',
    left: '没有结束记录',
    'not-loaded': '结束记录未载入',
  },
  ends: {
    ended: '已结束',
    stopped: '已停止',
    'mode-changed': '模式已更改',
    'settings-changed': '设置已更改',
    'memory-limit': '内存上限',
    'process-limit': '进程数上限',
    'temp-limit': '临时空间上限',
    'output-limit': '输出上限',
    'protected-entry': '出现了隐藏的文件',
    shutdown: 'Gatehouse 已关闭',
    restarted: 'Gatehouse 已重新启动',
  },
  started: (job, pid) => `已启动${strong(job)}${pid === undefined ? '' : `，pid ${pid}`}。`,
  writes: (paths) => `声明会写入 ${plain(paths)}。`,
  ended: (job, how) => `${strong(job)}已结束：${how}。`,
  ran: (time) => `运行了 ${time}。`,
};
