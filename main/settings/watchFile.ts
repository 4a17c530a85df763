import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Calls `changed` when the file may have changed, until the returned function is called. Editors replace files, so the
 * folder is watched; the poll catches what the system does not tell, such as the far end of a link.
 */
export function watchFile(file: string, pollMs: number, changed: () => void): () => void {
  const watcher = openWatcher(dirname(file), (name) => {
    if (name === null || name === basename(file)) changed();
  });
  const poll = setInterval(changed, pollMs);
  poll.unref();
  return () => {
    clearInterval(poll);
    watcher?.close();
  };
}

/** Undefined where the folder is not there yet or cannot be watched: then the poll does it alone. */
function openWatcher(folder: string, changed: (name: string | null) => void) {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => changed(name));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
