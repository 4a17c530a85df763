import type { Note } from '../../app/contract/host.ts';

export type Language = 'en' | 'zh';
/** What the main process itself shows: menu, dialogs, notifications, and the page of a window that failed. */
export type Texts = Widened<typeof en>;

/** `system`: Chinese where the system speaks it, else English. */
export function textsOf(choice: Language | 'system', locale: string): Texts {
  const language = choice === 'system' ? (locale.toLowerCase().startsWith('zh') ? 'zh' : 'en') : choice;
  return language === 'zh' ? zh : en;
}

/** The same keys and arguments, other words. */
type Widened<T> = { readonly [K in keyof T]: T[K] extends string ? string : Widening<T[K]> };
type Widening<T> = T extends (...args: infer A) => string ? (...args: A) => string : Widened<T>;

const en = {
  language: 'en',
  untitled: 'Untitled Session',
  menu: {
    file: 'File',
    newWindow: 'New Window',
    closeWindow: 'Close Window',
    quit: 'Quit Gatehouse',
    about: 'About Gatehouse',
    services: 'Services',
    hide: 'Hide Gatehouse',
    hideOthers: 'Hide Others',
    showAll: 'Show All',
    edit: 'Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select All',
    view: 'View',
    reload: 'Reload Window',
    actualSize: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    fullScreen: 'Full Screen',
    developerTools: 'Developer Tools',
    window: 'Window',
    minimize: 'Minimize',
    bringToFront: 'Bring All to Front',
  },
  tray: { open: 'Open Gatehouse', tip: 'Gatehouse keeps running' },
  quit: {
    title: 'Quit Gatehouse?',
    detail: (lines: string) =>
      `Still at work:\n${lines}\n\nKeep running closes the windows and goes on. Stop and quit ends it; what is recorded stays.`,
    keep: 'Keep Running',
    stop: 'Stop and Quit',
    cancel: 'Cancel',
    running: (title: string) => `• ${title}: running`,
    waiting: (title: string) => `• ${title}: waits for an approval`,
    job: (title: string) => `• Job: ${title}`,
    cleanup: (title: string) => `• Cleanup: ${title}`,
    more: (count: number) => `• and ${count} more`,
  },
  unresponsive: {
    title: 'This window does not respond',
    detail: 'Your Sessions go on running. You can wait, or load the window again.',
    wait: 'Wait',
    reload: 'Load Again',
  },
  crash: {
    title: 'This window stopped working',
    text: 'It could not be loaded, or ended several times in a row. Your Sessions go on running, and nothing is lost.',
    reload: 'Reload',
  },
  notes: {
    'approval-needed': 'Approval needed',
    'run-failed': 'Run failed',
    'run-ended': 'Run ended',
    'cleanup-failed': 'Cleanup failed',
    'lease-wait': 'Waits for a lease',
  } satisfies Record<Note['kind'], string>,
  pickFolder: 'Choose the folder of the Session',
  startFailed: 'Gatehouse could not start',
  publicKey: 'The system offers to encrypt it, but with a key that everybody knows.',
};

const zh: Texts = {
  language: 'zh-Hans',
  untitled: '未命名会话',
  menu: {
    file: '文件',
    newWindow: '新建窗口',
    closeWindow: '关闭窗口',
    quit: '退出 Gatehouse',
    about: '关于 Gatehouse',
    services: '服务',
    hide: '隐藏 Gatehouse',
    hideOthers: '隐藏其他',
    showAll: '全部显示',
    edit: '编辑',
    undo: '撤销',
    redo: '重做',
    cut: '剪切',
    copy: '复制',
    paste: '粘贴',
    selectAll: '全选',
    view: '查看',
    reload: '重新载入窗口',
    actualSize: '实际大小',
    zoomIn: '放大',
    zoomOut: '缩小',
    fullScreen: '全屏',
    developerTools: '开发者工具',
    window: '窗口',
    minimize: '最小化',
    bringToFront: '前置全部窗口',
  },
  tray: { open: '打开 Gatehouse', tip: 'Gatehouse 仍在运行' },
  quit: {
    title: '退出 Gatehouse？',
    detail: (lines) =>
      `仍在工作：\n${lines}\n\n“保持运行”会关闭窗口并继续工作。“停止并退出”会结束它们；已记录的内容会保留。`,
    keep: '保持运行',
    stop: '停止并退出',
    cancel: '取消',
    running: (title) => `• ${title}：运行中`,
    waiting: (title) => `• ${title}：等待批准`,
    job: (title) => `• 任务：${title}`,
    cleanup: (title) => `• 清理：${title}`,
    more: (count) => `• 另有 ${count} 项`,
  },
  unresponsive: {
    title: '此窗口没有响应',
    detail: '您的会话仍在运行。您可以等待，或重新载入窗口。',
    wait: '等待',
    reload: '重新载入',
  },
  crash: {
    title: '此窗口已停止工作',
    text: '它无法载入，或连续多次意外结束。您的会话仍在运行，没有任何内容丢失。',
    reload: '重新载入',
  },
  notes: {
    'approval-needed': '需要批准',
    'run-failed': '运行失败',
    'run-ended': '运行结束',
    'cleanup-failed': '清理失败',
    'lease-wait': '等待租约',
  },
  pickFolder: '选择会话的文件夹',
  startFailed: 'Gatehouse 无法启动',
  publicKey: '系统可以加密，但使用的是人人皆知的密钥。',
};
