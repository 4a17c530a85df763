import { join } from 'node:path';
import { app, dialog, protocol } from 'electron/main';
import { messageOf } from '../app/base/fault.ts';
import { beforeReady } from './electron/beforeReady.ts';
import { placesOf } from './electron/places.ts';
import { startDesktop } from './electron/startDesktop.ts';
import { workspaceArgument, workspaceOf, type SecondStart } from './electron/startArguments.ts';
import { textsOf } from './electron/text.ts';

// The Electron host. All that is said before Electron is ready is said at once; an awaited `whenReady` would hang.
const places = placesOf(join(__dirname, '..'), process.env, process.platform);
const named = workspaceArgument({
  argv: process.argv,
  cwd: process.cwd(),
  app: app.isPackaged ? undefined : app.getAppPath(),
});
const started: SecondStart = named === undefined ? {} : { workspace: named };

beforeReady(app, protocol, places);
if (app.requestSingleInstanceLock(started)) void app.whenReady().then(start);
else app.quit();

async function start(): Promise<void> {
  const opening = startDesktop(places, started);
  app.on('second-instance', (_event, _argv, _cwd, told) => {
    const bring = async (): Promise<void> => {
      const workspace = await workspaceOf(told);
      (await opening).bring(workspace === undefined ? {} : { workspace });
    };
    void bring().catch(() => undefined); // Only when it could not start, which is told below.
  });
  try {
    await opening;
  } catch (fault) {
    dialog.showErrorBox(textsOf('system', app.getLocale()).startFailed, messageOf(fault));
    app.exit(1);
  }
}
