import type { Session, WebContents } from 'electron/main';
import type { CdpTarget } from '../cdp.ts';
import { originOf } from '../schemes.ts';
import type { StandinProtocol } from './protocol.ts';
import { only } from './watched.ts';

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<CheckHandler>>[1];

/** Who decides what a page may do. Without anybody, Electron grants everything. */
export interface Permissions {
  request: RequestHandler;
  check: CheckHandler;
}

export type StandinSession = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'setSpellCheckerEnabled'
> & { readonly protocol: StandinProtocol };

export function createSession(permissions: Permissions, protocol: StandinProtocol): StandinSession {
  return only<StandinSession>('session', {
    protocol,
    setPermissionRequestHandler(handler) {
      permissions.request = handler;
    },
    setPermissionCheckHandler(handler) {
      permissions.check = handler;
    },
    // No device is ever offered to a page of the stand-in.
    setDevicePermissionHandler: () => undefined,
    setSpellCheckerEnabled: () => undefined,
  });
}

/** Electron's name of a permission, and the names that Chromium knows it by. */
const NAMES: Readonly<Partial<Record<Permission, readonly string[]>>> = {
  geolocation: ['geolocation'],
  notifications: ['notifications'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
  'persistent-storage': ['persistent-storage'],
  'idle-detection': ['idle-detection'],
  'local-fonts': ['local-fonts'],
  'window-management': ['window-management'],
  'screen-wake-lock': ['screen-wake-lock'],
};

/**
 * Chromium asks its embedder when a page wants something; over the DevTools protocol it can only be told beforehand.
 * So the app's handlers are asked about each permission when a page of an origin is about to be loaded.
 */
export async function applyPermissions(
  permissions: Permissions,
  browser: CdpTarget,
  page: { readonly contents: WebContents; readonly url: string; readonly webUrl: string },
): Promise<void> {
  const origin = originOf(page.webUrl);
  if (!origin.startsWith('https:')) return;
  for (const [permission, names] of Object.entries(NAMES)) {
    // The keys of NAMES are Electron's names.
    const granted = await isGranted(permissions, permission as Permission, page);
    const setting = granted ? 'granted' : 'denied';
    for (const name of names) await browser.send('Browser.setPermission', { permission: { name }, setting, origin });
  }
}

async function isGranted(
  { check, request }: Permissions,
  permission: Permission,
  { contents, url }: { readonly contents: WebContents; readonly url: string },
): Promise<boolean> {
  const details = { isMainFrame: true, requestingUrl: url };
  const checked = check?.(contents, permission, `${originOf(url)}/`, details) ?? true;
  if (!checked || !request) return checked;
  return new Promise((resolve) => request(contents, permission, resolve, details));
}
