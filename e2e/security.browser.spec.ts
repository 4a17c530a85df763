import { readFileSync } from 'node:fs';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { WebSocket } from 'ws';
import { treeOf } from './fixtures/processes.ts';
import { expect, test } from './fixtures/test.ts';

// Who may reach the browser host, tried on the running product (hosts.md, Browser host security).

function statusOf(url: string, headers: OutgoingHttpHeaders): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

/** How a connection ends that presents a token as its first frame. */
function closeCodeOf(origin: string, token: string, claimed = origin): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { origin: claimed } });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => undefined);
    socket.on('open', () => socket.send(JSON.stringify({ token })));
    socket.on('close', (code) => resolve(code));
    socket.on('message', () => socket.close(1000));
  });
}

test('a link lets one window in, and nobody after it', async ({ app, ui }) => {
  expect(ui.isClosed()).toBe(false);
  const link = await app.link();
  const { origin, hash } = new URL(link);
  const token = hash.replace('#token=', '');
  expect(await closeCodeOf(origin, token)).toBe(1000);
  expect(await closeCodeOf(origin, token)).toBe(4401);
  expect(await closeCodeOf(origin, 'x'.repeat(43))).toBe(4401);
});

test('a window of another origin is not connected, whatever it presents', async ({ app, ui }) => {
  const { origin } = new URL(ui.url());
  const { hash } = new URL(await app.link());
  expect(await closeCodeOf(origin, hash.replace('#token=', ''), 'https://elsewhere.invalid')).toBe(403);
});

test('only a loopback name reaches it, and no other site', async ({ ui }) => {
  const { origin, host } = new URL(ui.url());
  expect(await statusOf(`${origin}/`, { host })).toBe(200);
  expect(await statusOf(`${origin}/`, { host: 'elsewhere.invalid' })).toBe(403);
  expect(await statusOf(`${origin}/index.html`, { host, 'sec-fetch-site': 'cross-site' })).toBe(403);
});

test('the page comes with the policy of the product, keeps no cookie, and its address holds no token', async ({
  ui,
}) => {
  const found = await ui.evaluate(async () => {
    const { headers } = await fetch('/index.html');
    return { policy: headers.get('content-security-policy'), cookie: document.cookie, hash: location.hash };
  });
  expect(found.policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(found.policy).not.toMatch(/unsafe|\*/);
  expect(found.cookie).toBe('');
  expect(found.hash).not.toContain('token');
});

test('no token stands on a command line', async ({ app, ui }) => {
  const link = await app.link();
  const session = await ui.evaluate(() => sessionStorage.getItem('gatehouse.token') ?? '');
  const commands = treeOf(app.pid).map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  expect(session).toMatch(/^[\w-]{43}$/);
  const tokens = [session, new URL(link).hash.replace('#token=', '')];
  expect(commands.filter((command) => tokens.some((token) => command.includes(token)))).toEqual([]);
});
