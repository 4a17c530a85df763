import type { MenuItemConstructorOptions } from 'electron/main';
import type { Texts } from './text.ts';

export interface MenuCommands {
  newWindow(): void;
  /** Of the window in front. */
  reload(): void;
}

export interface MenuOptions {
  readonly texts: Texts;
  readonly commands: MenuCommands;
  readonly mac: boolean;
  readonly devTools: boolean;
}

type Items = MenuItemConstructorOptions[];

/** The menu of the program. Keys that the window itself uses are not here. */
export function menuTemplate(options: MenuOptions): Items {
  const { mac, texts } = options;
  return [
    ...(mac ? [{ label: 'Gatehouse', submenu: macItems(texts) }] : []),
    { label: texts.menu.file, submenu: fileItems(options) },
    { label: texts.menu.edit, submenu: editItems(texts) },
    { label: texts.menu.view, submenu: viewItems(options) },
    { label: texts.menu.window, submenu: windowItems(options) },
  ];
}

const LINE: MenuItemConstructorOptions = { type: 'separator' };

function macItems({ menu }: Texts): Items {
  return [
    { role: 'about', label: menu.about },
    LINE,
    { role: 'services', label: menu.services },
    LINE,
    { role: 'hide', label: menu.hide },
    { role: 'hideOthers', label: menu.hideOthers },
    { role: 'unhide', label: menu.showAll },
    LINE,
    { role: 'quit', label: menu.quit },
  ];
}

function fileItems({ texts: { menu }, commands, mac }: MenuOptions): Items {
  return [
    { id: 'new-window', label: menu.newWindow, accelerator: 'CmdOrCtrl+Shift+N', click: () => commands.newWindow() },
    { role: 'close', label: menu.closeWindow },
    ...(mac ? [] : [LINE, { role: 'quit', label: menu.quit, accelerator: 'Ctrl+Q' } as const]),
  ];
}

function editItems({ menu }: Texts): Items {
  return [
    { role: 'undo', label: menu.undo },
    { role: 'redo', label: menu.redo },
    LINE,
    { role: 'cut', label: menu.cut },
    { role: 'copy', label: menu.copy },
    { role: 'paste', label: menu.paste },
    { role: 'selectAll', label: menu.selectAll },
  ];
}

function viewItems({ texts: { menu }, commands, devTools }: MenuOptions): Items {
  return [
    // Not the role: that would load the page again which says that the window stopped working.
    { id: 'reload', label: menu.reload, accelerator: 'CmdOrCtrl+R', click: () => commands.reload() },
    LINE,
    { role: 'resetZoom', label: menu.actualSize },
    { role: 'zoomIn', label: menu.zoomIn },
    { role: 'zoomOut', label: menu.zoomOut },
    { role: 'togglefullscreen', label: menu.fullScreen },
    ...(devTools ? [LINE, { role: 'toggleDevTools', label: menu.developerTools } as const] : []),
  ];
}

function windowItems({ texts: { menu }, mac }: MenuOptions): Items {
  return [
    { role: 'minimize', label: menu.minimize },
    ...(mac ? [LINE, { role: 'front', label: menu.bringToFront } as const] : []),
  ];
}
