import type { NativeImage, nativeImage as Images, shell as ShellObject } from 'electron/common';
import type { Dialog, Display, Screen } from 'electron/main';
import { record } from '../recorded.ts';
import { only } from './watched.ts';

/** A person who dismisses everything. A test that needs another one replaces the function, as it does with Electron. */
export function createDialog(): Pick<Dialog, 'showMessageBox' | 'showOpenDialog' | 'showErrorBox'> {
  return only('dialog', {
    async showMessageBox(...args: readonly object[]) {
      const options = args.at(-1) ?? {};
      record('dialog.showMessageBox', options);
      return { response: 'cancelId' in options ? Number(options.cancelId) : 0, checkboxChecked: false };
    },
    async showOpenDialog(...args: readonly object[]) {
      record('dialog.showOpenDialog', args.at(-1));
      return { canceled: true, filePaths: [] };
    },
    showErrorBox(title: string, content: string) {
      record('dialog.showErrorBox', title, content);
      console.error(`${title}\n${content}`);
    },
  });
}

export function createShell(): Pick<typeof ShellObject, 'openExternal'> {
  return only('shell', {
    async openExternal(url: string) {
      record('shell.openExternal', url);
    },
  });
}

/** Nothing is ever drawn, so an image has a size and no more. */
export function createNativeImage(): Pick<typeof Images, 'createFromBitmap' | 'createEmpty'> {
  const imageOf = (width: number, height: number): NativeImage =>
    only('NativeImage', {
      isEmpty: () => width * height === 0,
      getSize: () => ({ width, height }),
      setTemplateImage: () => undefined,
    } satisfies Partial<NativeImage>) as unknown as NativeImage; // whatever else is asked of it is an error by name
  return only('nativeImage', {
    createEmpty: () => imageOf(0, 0),
    createFromBitmap(buffer, { width, height }) {
      if (buffer.length !== width * height * 4) throw new Error('invalid buffer size');
      return imageOf(width, height);
    },
  } satisfies Partial<typeof Images>);
}

const DISPLAY = { x: 0, y: 0, width: 1600, height: 1000 };

export function createScreen(): Pick<Screen, 'getPrimaryDisplay' | 'getAllDisplays' | 'getDisplayMatching'> {
  const display = only('display', { id: 1, scaleFactor: 1, bounds: DISPLAY, workArea: DISPLAY, workAreaSize: DISPLAY });
  const asElectrons = display as unknown as Display; // whatever else is asked of it is an error by name
  return only('screen', {
    getPrimaryDisplay: () => asElectrons,
    getAllDisplays: () => [asElectrons],
    getDisplayMatching: () => asElectrons,
  });
}
