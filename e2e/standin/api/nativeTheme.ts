import type { NativeTheme } from 'electron/main';
import type { Host } from '../host.ts';
import { Watched } from './watched.ts';

/** The system of the stand-in is a light one. */
export class StandinNativeTheme
  extends Watched<{ updated: [] }>
  implements Pick<NativeTheme, 'themeSource' | 'shouldUseDarkColors'>
{
  readonly #host: Host;

  constructor(host: Host) {
    super('nativeTheme');
    this.#host = host;
  }

  get themeSource(): NativeTheme['themeSource'] {
    return this.#host.theme;
  }

  set themeSource(source: NativeTheme['themeSource']) {
    if (source === this.#host.theme) return;
    this.#host.theme = source;
    for (const window of this.#host.windows) window.webContents._themed();
    this.emit('updated');
  }

  get shouldUseDarkColors(): boolean {
    return this.#host.theme === 'dark';
  }
}
