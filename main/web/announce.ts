import type { Address } from './listen.ts';

/** The origin under which this server is reached on its own machine, or through the forwarding that `advice` names. */
export function originFor(address: Address): string {
  return address.kind === 'port' ? `http://127.0.0.1:${address.port}` : `http://localhost:${FORWARDED}`;
}

export interface Running {
  readonly version: string;
  readonly reason: string | undefined;
  /** What is missing on this machine. */
  readonly missing: string | undefined;
}

/** Which host runs, and why. */
export function greeting({ version, reason, missing }: Running): readonly string[] {
  const line = `Gatehouse ${version}, browser host: ${reason ?? 'as asked for.'}`;
  return missing === undefined ? [line] : [line, missing];
}

/** What a person needs to know to use the link that follows. */
export function advice(address: Address, why: string): readonly string[] {
  const reach =
    address.kind === 'port'
      ? `From another machine: ssh -N -L ${address.port}:127.0.0.1:${address.port} <this machine>`
      : `It listens on ${address.path}. From another machine: ssh -N -L ${FORWARDED}:${address.path} <this machine>`;
  return [
    `No window was opened: ${why}.`,
    reach,
    'Open this in a browser. It lets one window in, once; whoever has it can do all that you can:',
  ];
}

/** How to get on from here. */
export function closingLines(pid: number, canSignal: boolean): readonly string[] {
  return [...(canSignal ? [`Another link: kill -USR2 ${pid}`] : []), 'Ctrl+C ends it.'];
}

const FORWARDED = 8080;
