import type { App, CommandLine } from 'electron/main';
import type { Host } from '../host.ts';
import { record } from '../recorded.ts';
import { InstanceLock } from '../singleInstance.ts';
import { PreventableEvent, type AppEvents } from './events.ts';
import { pathOf, type PathName } from './paths.ts';
import { only, Watched } from './watched.ts';

type Members =
  | 'isPackaged'
  | 'name'
  | 'getName'
  | 'setName'
  | 'getVersion'
  | 'getAppPath'
  | 'getPath'
  | 'setPath'
  | 'getLocale'
  | 'isReady'
  | 'whenReady'
  | 'enableSandbox'
  | 'setAppUserModelId'
  | 'requestSingleInstanceLock'
  | 'hasSingleInstanceLock'
  | 'releaseSingleInstanceLock'
  | 'setBadgeCount'
  | 'getBadgeCount'
  | 'focus'
  | 'quit'
  | 'exit';

/** A quit goes through these, and falls back to the first when the app prevents it. */
type Phase = 'running' | 'quitting' | 'exiting' | 'ended';

export class StandinApp extends Watched<AppEvents> implements Pick<App, Members> {
  readonly commandLine: Pick<CommandLine, 'appendSwitch' | 'hasSwitch' | 'getSwitchValue'>;
  readonly #host: Host;
  readonly #lock: InstanceLock;
  readonly #ready = Promise.withResolvers<void>();
  #phase: Phase = 'running';
  #exitCode = 0;
  #badge = 0;

  constructor(host: Host) {
    super('app');
    this.#host = host;
    this.commandLine = only('app.commandLine', {
      appendSwitch: (name: string, value?: string) => host.switches.add(name, value),
      hasSwitch: (name: string) => host.switches.has(name),
      getSwitchValue: (name: string) => host.switches.get(name) ?? '',
    });
    this.#lock = new InstanceLock(({ argv, workingDirectory, data }) => {
      const tell = (): unknown =>
        this.emit('second-instance', new PreventableEvent(), [...argv], workingDirectory, data);
      void this.#ready.promise.then(tell);
    });
  }

  get isPackaged(): boolean {
    return this.#host.started.isPackaged;
  }

  get name(): string {
    return this.#host.name;
  }

  set name(name: string) {
    this.#host.name = name;
  }

  getName(): string {
    return this.name;
  }

  setName(name: string): void {
    this.name = name;
  }

  getVersion(): string {
    return this.#host.started.package.version;
  }

  getAppPath(): string {
    return this.#host.started.appPath;
  }

  getPath(name: PathName): string {
    return pathOf(name, this.#host.userData);
  }

  setPath(name: string, path: string): void {
    if (name !== 'userData') throw new Error(`electron stand-in: app.setPath('${name}') is not implemented`);
    this.#host.userData = path;
  }

  getLocale(): string {
    return process.env['ELECTRON_STANDIN_LOCALE'] ?? 'en-US';
  }

  isReady(): boolean {
    return this.#host.isReady;
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  /** Every renderer of Chromium is sandboxed already. */
  enableSandbox(): void {}

  setAppUserModelId(): void {}

  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    const { started, userData } = this.#host;
    return this.#lock.request(userData, { argv: started.argv, workingDirectory: process.cwd(), data: additionalData });
  }

  hasSingleInstanceLock(): boolean {
    return this.#lock.isHeld;
  }

  releaseSingleInstanceLock(): void {
    this.#lock.release();
  }

  setBadgeCount(count = 0): boolean {
    this.#badge = count;
    record('app.setBadgeCount', count);
    return true;
  }

  getBadgeCount(): number {
    return this.#badge;
  }

  focus(): void {
    [...this.#host.windows][0]?.focus();
  }

  /** Asks the app, closes every window, asks again, ends. Each may prevent it. */
  quit(): void {
    if (this.#phase !== 'running' || !this.#allows('before-quit')) return;
    this.#phase = 'quitting';
    if (this.#host.windows.size === 0) this.#finishQuit();
    else for (const window of this.#host.windows) window.close();
  }

  /** Asks nobody. */
  exit(exitCode = 0): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'exiting';
    this.#exitCode = exitCode;
    if (this.#host.windows.size === 0) this.#end();
    else for (const window of this.#host.windows) window.destroy();
  }

  get _isEnding(): boolean {
    return this.#phase === 'exiting' || this.#phase === 'ended';
  }

  _start(): void {
    this.emit('ready', new PreventableEvent(), {});
    this.#ready.resolve();
  }

  _closePrevented(): void {
    if (this.#phase === 'quitting') this.#phase = 'running';
  }

  _windowClosed(): void {
    if (this.#host.windows.size > 0) return;
    if (this.#phase === 'exiting') this.#end();
    else if (this.#phase === 'quitting') this.#finishQuit();
    else if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }

  #finishQuit(): void {
    if (this.#allows('will-quit')) this.#end();
    else this.#phase = 'running';
  }

  #allows(question: 'before-quit' | 'will-quit'): boolean {
    const event = new PreventableEvent();
    this.emit(question, event);
    return !event.defaultPrevented;
  }

  #end(): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.emit('quit', new PreventableEvent(), this.#exitCode);
    void this.#leave();
  }

  async #leave(): Promise<void> {
    await this.#lock.told();
    await this.#host.chromium?.close();
    process.exit(this.#exitCode);
  }
}
