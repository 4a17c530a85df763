import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import type { HostDescription, HostName } from '../../app/contract/host.ts';

/** What is the same in every host of this program, with what this one says of itself. */
export function describeHost(host: HostName, own: Pick<HostDescription, 'canPickFolder' | 'reason'>): HostDescription {
  return { host, version: version(), platform: platformOf(process.platform), userHome: homedir(), ...own };
}

/** The manifest lies two folders above this file, and above the bundle that it becomes a part of. */
function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json');
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(known);
}

function platformOf(platform: NodeJS.Platform): HostDescription['platform'] {
  return platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other';
}
