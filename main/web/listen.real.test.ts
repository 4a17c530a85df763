import { once } from 'node:events';
import { lstat, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { Client, freshAssets, startServer, tokenOf } from './server.fixture.ts';

async function taken(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('a port', () => {
  it('is free on both loopback addresses, and nothing listens on any other', async () => {
    const server = await startServer();
    const listening = (await lines('/proc/net/tcp')).concat(await lines('/proc/net/tcp6'));
    const hex = server.port.toString(16).toUpperCase().padStart(4, '0');
    const ours = listening
      .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A')
      .map(([, local]) => local);
    expect(ours).toEqual([`0100007F:${hex}`, `00000000000000000000000001000000:${hex}`]);
  });

  it.each(['127.0.0.1', '::1'])(
    'that is taken on %s is not taken from there, and the refusal names it',
    async (host) => {
      const port = await taken(host);
      const started = startServer({ address: { kind: 'port', port } });
      await expect(started).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(new RegExp(`^Gatehouse cannot listen on .*:${port}: it is taken\\.$`)),
      });
    },
  );
});

describe('a socket file', () => {
  it('is its user’s alone, serves page and windows, and is gone afterwards', async () => {
    const { folder } = await freshAssets();
    const path = join(folder, 'gatehouse.sock');
    const server = await startServer({ address: { kind: 'socket', path } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const headers = { host: 'localhost:8080', origin: 'http://localhost:8080' };
    const window = new Client(new WebSocket(`ws+unix:${path}:/ws`, { headers }));
    const link = server.web?.link('http://localhost:8080');
    expect(link).toMatch(/^http:\/\/localhost:8080\/#token=/);
    window.say({ token: tokenOf(link) });
    expect(await window.next()).toMatchObject({ ready: true });
    expect(await window.ask({ id: 1, link: true })).toMatchObject({
      link: expect.stringContaining('http://localhost:8080/#'),
    });
    const foreign = new Client(new WebSocket(`ws+unix:${path}:/ws`, { headers: { ...headers, host: 'a.example' } }));
    expect(await foreign.refused).toMatchObject({ status: 403 });
    await server.close();
    expect(await readdir(folder)).toEqual(['renderer']);
  });

  it('that a killed process left is replaced', async () => {
    const { folder } = await freshAssets();
    const path = join(folder, 'gatehouse.sock');
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', script], { stdio: 'ignore' }), 'exit');
    expect((await lstat(path)).isSocket()).toBe(true);
    await startServer({ address: { kind: 'socket', path } });
  });

  it('on which somebody listens is left alone, and so is any other file', async () => {
    const { folder } = await freshAssets();
    const path = join(folder, 'gatehouse.sock');
    const first = await startServer({ address: { kind: 'socket', path } });
    const refusal = { code: 'conflict', message: `Gatehouse cannot listen on ${path}: it is taken.` };
    await expect(startServer({ address: { kind: 'socket', path } })).rejects.toMatchObject(refusal);
    expect((await stat(path)).isSocket()).toBe(true);
    await first.close();
    await writeFile(path, 'mine');
    await expect(startServer({ address: { kind: 'socket', path } })).rejects.toMatchObject(refusal);
    expect((await stat(path)).size).toBe(4);
  });

  it('in a folder that is not there is refused with its name', async () => {
    const path = '/nowhere/gatehouse.sock';
    const started = startServer({ address: { kind: 'socket', path } });
    await expect(started).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(path) });
  });
});

async function lines(file: string): Promise<readonly (readonly string[])[]> {
  return (await readFile(file, 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
}
