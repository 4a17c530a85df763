import type { Notification, NotificationConstructorOptions } from 'electron/main';
import { outside, record } from '../recorded.ts';
import { PreventableEvent, type NotificationEvents } from './events.ts';
import { Watched } from './watched.ts';

type Members = 'title' | 'body' | 'silent' | 'show' | 'close';

export class StandinNotification extends Watched<NotificationEvents> implements Pick<Notification, Members> {
  readonly title: string;
  readonly body: string;
  readonly silent: boolean;

  static isSupported(): boolean {
    return true;
  }

  constructor({ title = '', body = '', silent = false }: NotificationConstructorOptions = {}) {
    super('Notification');
    this.title = title;
    this.body = body;
    this.silent = silent;
  }

  show(): void {
    outside.notifications.add(this.#asElectrons);
    record('Notification.show', { title: this.title, body: this.body });
    this.emit('show', new PreventableEvent());
  }

  close(): void {
    if (!outside.notifications.delete(this.#asElectrons)) return;
    record('Notification.close', { title: this.title, body: this.body });
    this.emit('close', new PreventableEvent());
  }

  /** It has what a test looks at and clicks. */
  get #asElectrons(): Notification {
    return this as unknown as Notification;
  }
}
