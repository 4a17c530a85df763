import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import type { HostDescription, HostName } from '../../app/contract/host.ts';

/** What is the same in every host of this program, with what this one says of itself. */
export function describeHost(host: HostName, own: Pick<HostDescription, 'canPickFolder' | 'reason'>): HostDescription {
  const platform = platformOf(process.platform);
  const bootTime = platform === 'linux' ? readBootTime() : undefined;
  const here = { host, version: version(), platform, userHome: homedir() };
  return { ...here, ...(bootTime !== undefined && { bootTime }), ...own };
}

/** The manifest lies two folders above this file, and above the bundle that it becomes a part of. */
function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json');
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(known);
}

/** Asked of the kernel's own count: what the uptime of a container says may be another. */
function readBootTime(): number | undefined {
  const seconds = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

function platformOf(platform: NodeJS.Platform): HostDescription['platform'] {
  return platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other';
}
