import { watch } from 'node:fs';
import { join } from 'node:path';

/** An editor writes a file in several steps, and a checkout many files: all that comes this soon is one change. */
const SETTLED_MS = 40;

/** Tells of every change to a source of the programs. Returns how to stop. */
export function onChange(root: string, folders: readonly string[], changed: (file: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_kind, file) => {
      if (file === null || !isSource(file)) return;
      clearTimeout(timer);
      timer = setTimeout(() => changed(join(folder, file)), SETTLED_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

function isSource(file: string): boolean {
  return /\.(ts|cjs|json)$/.test(file) && !/\.(test|contract|fixture)\.ts$/.test(file);
}
