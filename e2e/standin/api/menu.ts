import type { Menu, MenuItem, MenuItemConstructorOptions } from 'electron/main';
import type { Host } from '../host.ts';
import { only } from './watched.ts';

type Role = MenuItemConstructorOptions['role'];
type Template = Parameters<typeof Menu.buildFromTemplate>[0];

/** What tests press instead of a person: `click` does what the item does. */
class StandinMenuItem implements Pick<MenuItem, 'id' | 'label' | 'enabled' | 'visible' | 'checked' | 'click' | 'type'> {
  readonly id: string;
  readonly label: string;
  readonly type: MenuItem['type'];
  readonly role: Role;
  readonly accelerator: string | null;
  readonly submenu: StandinMenu | undefined;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  readonly click: () => void;

  constructor(host: Host, options: MenuItemConstructorOptions) {
    const { label, role, type, submenu } = options;
    if (label === undefined && role === undefined && type !== 'separator') {
      throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
    }
    this.id = options.id ?? '';
    this.label = label ?? role ?? '';
    this.role = role;
    this.type = type ?? (submenu ? 'submenu' : 'normal');
    this.accelerator = options.accelerator ?? null;
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.submenu = Array.isArray(submenu) ? new StandinMenu(host, submenu) : undefined;
    this.click = () => press(host, options, this);
  }
}

class StandinMenu implements Pick<Menu, 'getMenuItemById' | 'popup'> {
  readonly items: readonly StandinMenuItem[];

  constructor(host: Host, template: Template) {
    this.items = template.map((options) => new StandinMenuItem(host, options as MenuItemConstructorOptions));
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      // The test that asks presses it and looks at what is implemented.
      const found = item.id === id ? (item as unknown as MenuItem) : (item.submenu?.getMenuItemById(id) ?? null);
      if (found) return found;
    }
    return null;
  }

  popup(): void {}
}

function press(host: Host, options: MenuItemConstructorOptions, item: StandinMenuItem): void {
  const window = host.focused;
  if (!item.enabled) return;
  if (item.type === 'checkbox') item.checked = !item.checked;
  if (options.click) {
    // Callers of the menu get what Electron gives them: the item, the focused window, and an event.
    const click = options.click as (item: unknown, window: unknown, event: object) => void;
    click(item, window, {});
  } else if (item.role === 'quit') host.app.quit();
  else if (item.role === 'close') window?.close();
  else if (item.role === 'minimize') window?.minimize();
  else if (item.role === 'reload' || item.role === 'forceReload') window?.reload();
  // The other roles belong to the system or to Chromium itself.
}

export type StandinMenuClass = Pick<typeof Menu, 'buildFromTemplate' | 'setApplicationMenu' | 'getApplicationMenu'>;

export function createMenu(host: Host): StandinMenuClass {
  let current: Menu | null = null;
  return only<StandinMenuClass>('Menu', {
    buildFromTemplate: (template) => new StandinMenu(host, template) as unknown as Menu, // it has what the app uses
    setApplicationMenu(menu) {
      current = menu;
    },
    getApplicationMenu: () => current,
  });
}
