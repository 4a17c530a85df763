// A small app that does with Electron what the product does, and says what happened. The spec looks at it from outside,
// through `globalThis.seen`, on the real binary and on what takes its place alike.
const path = require('node:path');
const { app, BrowserWindow, ipcMain, protocol, session } = require('electron/main');

/** In order: what was heard, and what was refused. */
const seen = { heard: [], refused: {}, messages: [] };
globalThis.seen = seen;

const attempt = (name, work) => {
  try {
    work();
    seen.refused[name] = 'allowed';
  } catch (error) {
    seen.refused[name] = error.message;
  }
};
const hear = (emitter, prefix, names) => {
  for (const name of names) emitter.on(name, () => seen.heard.push(`${prefix} ${name}`));
};

app.setName('Conformance');
app.setPath('userData', process.env.CONFORMANCE_DATA);
protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
]);
app.enableSandbox();
attempt('window before ready', () => new BrowserWindow());
attempt('protocol before ready', () => protocol.handle('early', () => new Response('')));
hear(app, 'app', ['before-quit', 'will-quit', 'quit', 'window-all-closed', 'web-contents-created']);
if (process.env.CONFORMANCE_STAYS) app.on('window-all-closed', () => undefined);

if (app.requestSingleInstanceLock({ word: process.env.CONFORMANCE_WORD })) void app.whenReady().then(start);
else app.quit();

function start() {
  attempt('schemes after ready', () => protocol.registerSchemesAsPrivileged([]));
  app.on('second-instance', (_event, _argv, workingDirectory, data) =>
    seen.messages.push({ workingDirectory, word: data.word }),
  );
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  protocol.handle('app', answer);
  ipcMain.handle('echo', (event, ...args) => {
    seen.messages.push({ args, url: event.senderFrame?.url, isTop: event.senderFrame?.parent === null });
    return args[0];
  });
  ipcMain.handle('fail', () => {
    throw new RangeError('it does not fit');
  });
  ipcMain.handle('uncloneable', () => () => 1);
  attempt('second handler', () => ipcMain.handle('echo', () => undefined));
  globalThis.openWindow = openWindow;
  openWindow('app://conformance/index.html');
}

function answer(request) {
  const { host, pathname } = new URL(request.url);
  seen.messages.push({ request: request.url, method: request.method });
  if (host !== 'conformance') return new Response('', { status: 404 });
  if (pathname === '/moved') return Response.redirect('https://elsewhere.invalid/', 302);
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
  };
  return new Response(`<!doctype html><title>${pathname}</title><p>héllo</p>`, { headers });
}

function openWindow(url, options = {}) {
  const window = new BrowserWindow({
    width: 700,
    height: 500,
    show: false,
    webPreferences: { preload: path.join(__dirname, 'preload.cjs'), sandbox: true, contextIsolation: true },
    ...options,
  });
  const prefix = `window${window.id}`;
  hear(window, prefix, ['ready-to-show', 'show', 'focus', 'minimize', 'restore', 'maximize', 'close', 'closed']);
  hear(window.webContents, prefix, ['did-navigate', 'did-fail-load', 'dom-ready', 'did-finish-load', 'destroyed']);
  window.webContents.on('render-process-gone', (_event, { reason }) => seen.heard.push(`${prefix} gone ${reason}`));
  window.webContents.on('preload-error', (_event, path) => seen.heard.push(`${prefix} preload-error ${path}`));
  window.once('ready-to-show', () => window.show());
  void window.loadURL(url).catch((error) => seen.heard.push(`${prefix} rejected ${error.message}`));
  return window.id;
}
