import { once } from 'node:events';
import { lstat, unlink } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { messageOf } from '../../app/base/fault.ts';
import { RequestError } from '../../app/contract/reply.ts';
import { codeOf } from '../base/codeOf.ts';

/** Where windows find the server: loopback alone, or a socket file that is this user's alone. */
export type Address =
  | { readonly kind: 'port'; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string };

export interface Listening {
  readonly address: Address;
  readonly servers: readonly Server[];
}

/** Port 0 is any that is free. Throws a RequestError that says why nothing can listen there. */
export async function listen(wanted: Address, makeServer: () => Server): Promise<Listening> {
  return wanted.kind === 'socket' ? listenOnFile(wanted.path, makeServer) : listenOnLoopback(wanted.port, makeServer);
}

/** A port that is free for one of the two addresses may be taken for the other. */
const TRIES = 8;

async function listenOnLoopback(wanted: number, makeServer: () => Server): Promise<Listening> {
  for (let left = TRIES; ; left -= 1) {
    const four = makeServer();
    try {
      four.listen(wanted, '127.0.0.1');
      await once(four, 'listening');
    } catch (fault) {
      throw refusal(`127.0.0.1:${wanted}`, fault);
    }
    const port = portOf(four);
    const six = makeServer();
    try {
      six.listen({ port, host: '::1', ipv6Only: true });
      await once(six, 'listening');
      return { address: { kind: 'port', port }, servers: [four, six] };
    } catch (fault) {
      if (hasNoSix(fault)) return { address: { kind: 'port', port }, servers: [four] };
      four.close();
      await once(four, 'close');
      if (wanted !== 0 || codeOf(fault) !== 'EADDRINUSE' || left === 0) throw refusal(`[::1]:${port}`, fault);
    }
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('A server that listens on a port has none');
  return address.port;
}

function hasNoSix(fault: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(codeOf(fault) ?? '');
}

async function listenOnFile(path: string, makeServer: () => Server): Promise<Listening> {
  const server = makeServer();
  try {
    await bind(server, path);
  } catch (fault) {
    if (codeOf(fault) !== 'EADDRINUSE' || !(await isLeftOver(path))) throw refusal(path, fault);
    await unlink(path);
    await bind(server, path).catch((again: unknown) => {
      throw refusal(path, again);
    });
  }
  return { address: { kind: 'socket', path }, servers: [server] };
}

/** Nobody else may connect, not even for the moment before its mode could be changed: the file is made with that mode. */
async function bind(server: Server, path: string): Promise<void> {
  const mask = process.umask(0o177);
  try {
    server.listen(path); // Makes the file at once.
  } finally {
    process.umask(mask);
  }
  await once(server, 'listening');
}

/** A socket on which nobody listens any more. Any other file is somebody's. */
async function isLeftOver(path: string): Promise<boolean> {
  if (!(await lstat(path)).isSocket()) return false;
  const probe = connect(path);
  const fault: unknown = await once(probe, 'connect').catch((refused: unknown) => refused);
  probe.destroy();
  return codeOf(fault) === 'ECONNREFUSED';
}

function refusal(place: string, fault: unknown): RequestError {
  const code = codeOf(fault) ?? '';
  const why = WHY[code] ?? messageOf(fault);
  return new RequestError('conflict', `Gatehouse cannot listen on ${place}: ${why}.`, { cause: fault });
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is taken',
  EACCES: 'this user may not, or there is no such folder',
  EINVAL: 'the path is too long',
};
