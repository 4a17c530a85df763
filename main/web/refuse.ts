import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from '../base/codeOf.ts';
import type { Refusal } from './gate.ts';

/** Answers what will not become a WebSocket, and parts. */
export function refuseUpgrade(stream: Duplex, { status, reason }: Refusal): void {
  // The other side may have gone already.
  stream.on('error', () => undefined);
  const body = `${reason}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
  ];
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => stream.destroy());
}

/** What is no HTTP, or not in time. */
export function refuseMalformed(fault: Error, stream: Duplex): void {
  if (!stream.writable) return void stream.destroy();
  refuseUpgrade(stream, MALFORMED[codeOf(fault) ?? ''] ?? { status: 400, reason: 'This is no HTTP request.' });
}

const MALFORMED: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'The headers are too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'The request was not complete in time.' },
};
