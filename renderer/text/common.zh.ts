import type { Translation } from './translation.ts';
import type { commonEn } from './common.en.ts';

export const commonZh: Translation<typeof commonEn> = {
  product: 'Gatehouse',
  cancel: '取消',
  close: '关闭',
  retry: '重试',
  copy: '复制',
  copied: '已复制',
  back: '返回',
  loading: '正在载入…',
  fullAccess: '完全访问',
  modes: {
    'read-only': '只读',
    'workspace-write': '可写工作区',
    'danger-full-access': '完全访问',
  },
  policies: { ask: '会询问', never: '从不询问' },
  connection: {
    connecting: '正在连接 Gatehouse…',
    lost: '与 Gatehouse 的连接已断开。正在运行的内容会继续；此窗口会自动重试。',
    refused: '此窗口未获准进入。请打开 Gatehouse 启动时显示的地址。',
  },
  states: { waiting: '等待中', running: '运行中', failed: '失败', idle: '空闲' },
  untitled: '未命名会话',
  event: (seq) => `事件 ${seq}`,
  ago: {
    now: '刚刚',
    seconds: (n) => `${n} 秒`,
    minutes: (n) => `${n} 分钟`,
    hours: (n) => `${n} 小时`,
    days: (n) => `${n} 天`,
  },
  duration: {
    ms: (n) => `${n} 毫秒`,
    seconds: (n) => `${n} 秒`,
    minutes: (m, s) => `${m}:${String(s).padStart(2, '0')}`,
  },
};
