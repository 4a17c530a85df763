import type { App, Session, WebContents } from 'electron/main';
import type { OwnOrigins } from './origin.ts';

/** Denies every page whatever a page of ours does not need: to go elsewhere, to open something, to be given a permission. */
export function guardPages(app: App, session: Session, origins: OwnOrigins): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, origins));
  // Copying is the one thing that a button of ours asks for.
  const allowed = (permission: string, url: string): boolean =>
    permission === 'clipboard-sanitized-write' && origins.owns(url);
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame }) =>
    isMainFrame ? allowed(permission, origin) : false,
  );
  session.setPermissionRequestHandler((_contents, permission, callback, { isMainFrame, requestingUrl }) =>
    callback(isMainFrame && allowed(permission, requestingUrl)),
  );
  session.setDevicePermissionHandler(() => false);
}

/** A link to the outside is opened by the request `host.openExternal` alone. */
function guardContents(contents: WebContents, origins: OwnOrigins): void {
  contents.on('will-navigate', (event) => {
    if (!origins.owns(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!origins.owns(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
