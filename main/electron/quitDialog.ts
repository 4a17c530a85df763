import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron/main';
import { liveWorkLines, type LiveWork } from './liveWork.ts';
import type { QuitAnswer } from './quit.ts';
import type { Texts } from './text.ts';

export interface QuitQuestion {
  readonly work: LiveWork;
  readonly texts: Texts;
  /** Whose dialog it is. */
  readonly window: BrowserWindow | undefined;
}

const ANSWERS: readonly QuitAnswer[] = ['keep', 'stop', 'cancel'];

/** Lists what is at work and asks what becomes of it. To close the dialog is to cancel. */
export async function askToQuit({ work, texts, window }: QuitQuestion, signal: AbortSignal): Promise<QuitAnswer> {
  const { quit } = texts;
  const options: MessageBoxOptions = {
    type: 'question',
    message: quit.title,
    detail: quit.detail(liveWorkLines(work, texts)),
    buttons: ANSWERS.map((answer) => quit[answer]),
    defaultId: ANSWERS.indexOf('keep'),
    cancelId: ANSWERS.indexOf('cancel'),
    noLink: true,
    signal,
  };
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
  return ANSWERS[response] ?? 'cancel';
}
