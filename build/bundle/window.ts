import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

/** The window, as it is built and as `npm run dev` serves it. */
export function windowConfig(root: string): InlineConfig {
  return {
    configFile: false,
    envDir: false,
    root: join(root, 'renderer'),
    publicDir: false,
    logLevel: 'warn',
    plugins: [react()],
  };
}

export function windowBuildConfig(root: string, outDir: string): InlineConfig {
  return {
    ...windowConfig(root),
    build: {
      outDir,
      emptyOutDir: true,
      sourcemap: true,
      reportCompressedSize: false,
      // The content policy allows no fonts and no styles from `data:`, so nothing is put into another file.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  };
}
