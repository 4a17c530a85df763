const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('bridge', {
  ask: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
  onSent(listener) {
    const heard = (_event, ...args) => listener(...args);
    ipcRenderer.on('sent', heard);
    return () => void ipcRenderer.off('sent', heard);
  },
  call: (back) => back({ two: [1, 2] }),
  fault() {
    throw new RangeError('in the preload');
  },
  world: { process: typeof process, require: typeof require },
});
