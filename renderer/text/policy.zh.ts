import type { policyEn } from './policy.en.ts';
import type { Translation } from './translation.ts';

export const policyZh: Translation<typeof policyEn> = {
  preset: '预设',
  presets: {
    'read-only': {
      label: '只读',
      description: '可读取本机，不写入任何内容。需要更多权限时会询问。',
    },
    'workspace-write': {
      label: '可写工作区',
      description: '只能写入工作区。需要更多权限时会询问。',
    },
    'danger-full-access': {
      label: '完全访问',
      description: '您本人能做的一切，没有沙箱，也不询问。',
    },
  },
  custom: '自定义',
  customMeans: '模式和批准策略是分别设置的，没有预设与之相同。无法选择此项。',
  current: '生效中',
  changes: {
    mode: (from, to) => `模式：${from === undefined ? '' : `${from} → `}${to}。`,
    policy: (from, to) => `批准策略：${from === undefined ? '' : `${from} → `}${to}。`,
    nothing: '模式和批准策略保持不变。',
  },
  stops: (n) => (n === 0 ? '不会停止任何正在运行的内容。' : `将停止 ${n} 个进程：`),
  stopsShort: (n) => (n === 0 ? '' : `将停止 ${n} 个进程。`),
  more: (n) => `以及另外 ${n} 个`,
  pid: (pid) => `进程号 ${pid}`,
  looking: '正在查看会有哪些变化…',
  unknown: (why) => `无法得知会有哪些变化：${why}`,
  recorded: '已记录于',
  recordedEnd: '。',
  stopping: (n, mode) => `正在停止在${mode === undefined ? '其他模式' : `“${mode}”`}下启动的 ${n} 个进程。`,
  stopped: (n) => (n === 1 ? '它已结束。' : `${n} 个均已结束。`),
  stopFailed: (n) => `${n} 个尚未结束。`,
  showCleanup: '查看清理',
  notRecorded: (why) => `未更改：${why}`,
  notConfirmed: (why) => `未确认：${why} 此处显示的是日志中的内容。`,
  notStored: (why) => `已生效，但尚未写入磁盘：${why}`,
  dismiss: '关闭提示',
  danger: {
    title: {
      session: (label) => `将此会话切换为“${label}”？`,
      new: (label) => `以“${label}”开始新会话？`,
      default: (label) => `新会话都以“${label}”开始？`,
    },
    means: '之后代理可以读取、更改和删除您能访问的一切，并能接触您的所有进程。没有沙箱限制它。',
    never: '它不会事先询问您。',
    ask: '调用将直接运行而不询问，因为已没有更大的权限可请求。',
    only: {
      session: '仅适用于此会话。',
      new: '仅适用于这个新会话。',
      default: '适用于此后创建的每个会话。已有的会话保持不变。',
    },
    confirm: {
      session: (label) => `切换为“${label}”`,
      new: (label) => `以“${label}”开始`,
      default: (label) => `都以“${label}”开始`,
    },
  },
};
