import { hash } from 'node:crypto';

/** In hex, as it stands in logs, names of blobs and results. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content);
}
