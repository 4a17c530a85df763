import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { SOON, startServer, tokenOf } from './server.fixture.ts';

const doctor = { 'doctor.run': async () => ({ checks: [] }) };

describe('a request', () => {
  it('for the page is answered with it, on both loopback addresses, without a cookie', async () => {
    const server = await startServer();
    const page = await server.http('/');
    expect(page).toMatchObject({ status: 200, body: 'the page' });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers).not.toHaveProperty('set-cookie');
    const six = await fetch(`http://[::1]:${server.port}/assets/main.js`);
    expect([six.status, await six.text()]).toEqual([200, 'the script']);
  });

  const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  it.each([
    ['with a Host that is no loopback name', 403, '/', { host: 'gatehouse.example' }],
    ['from another Origin', 403, '/', { origin: 'http://gatehouse.example' }],
    [
      'that another site causes',
      403,
      '/assets/main.js',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ],
    [
      'that another site causes, also of the page',
      403,
      '/',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    ],
    ['to which another site sends a person, but for the page', 403, '/index.html', navigation],
    ['for a path that leads out of the window', 400, '/../package.json', {}],
    ['for a path with an encoded slash', 400, '/..%2fpackage.json', {}],
    ['for a file that is not there', 404, '/none.js', {}],
    ['for the place of the connection', 404, '/ws', {}],
  ])('%s is refused in words, with %i', async (_, status, path, headers) => {
    const server = await startServer();
    const refused = await server.http(path, headers);
    expect(refused).toMatchObject({ status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
    expect(refused.body).toMatch(/^[A-Z][^\n]{10,80}\.\n$/);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('with %s is refused', async (method) => {
    const server = await startServer();
    expect(await server.http('/', {}, method)).toMatchObject({ status: 405, body: 'Only GET is answered.\n' });
  });

  it('with which another site sends a person to the page is answered', async () => {
    const server = await startServer();
    expect(await server.http('/', navigation)).toMatchObject({ status: 200, body: 'the page' });
  });

  it.each([
    ['400', 'Hello\r\n\r\n'],
    ['403', 'GET / HTTP/1.1\r\n\r\n'],
    ['403', 'GET / HTTP/1.0\r\n\r\n'],
    ['405', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['431', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`],
  ])('that no browser sends is refused in words, with %s', async (status, sent) => {
    const server = await startServer();
    const answer = await text(connect(server.port, '127.0.0.1').end(sent));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\n\r\n[A-Z][^\n]+\\.\n$`, 's'));
  });
});

describe('a WebSocket', () => {
  it.each([
    ['with a Host that is no loopback name', 403, { host: 'gatehouse.example', origin: 'http://gatehouse.example' }],
    ['from another Origin', 403, { origin: 'http://gatehouse.example' }],
    ['from this machine by another name', 403, { origin: 'http://localhost:1' }],
    ['without an Origin', 403, { origin: undefined }],
    ['that another site opens', 403, { 'sec-fetch-site': 'cross-site' }],
  ])('%s is refused in words, with %i', async (_, status, headers) => {
    const server = await startServer();
    const refused = await server.socket(headers).refused;
    expect(refused.status).toBe(status);
    expect(refused.body).toMatch(/^[A-Z]/);
    expect(server.attending).toBe(0);
  });

  it('that is asked for in a way that no browser does is refused in words', async () => {
    const server = await startServer();
    const headers = { origin: server.origin, connection: 'Upgrade', upgrade: 'websocket' };
    const refused = await server.http('/ws', headers);
    expect(refused).toMatchObject({ status: 400, body: 'Missing or invalid Sec-WebSocket-Key header' });
  });

  it('to another place is refused', async () => {
    const server = await startServer();
    expect(await server.socket({}, `${server.origin.replace('http', 'ws')}/`).refused).toMatchObject({ status: 404 });
  });
});

describe('a token', () => {
  it('lets one window in, which is then an answerer and is answered', async () => {
    const server = await startServer({ handlers: doctor });
    const window = await server.window();
    expect(server.attending).toBe(1);
    expect(await window.ask({ id: 1, request: 'doctor.run', input: {} })).toEqual({
      id: 1,
      ok: true,
      output: { checks: [] },
    });
    window.socket.close();
    await window.ended;
    await expect.poll(() => server.attending, SOON).toBe(0);
  });

  it('that was used is worth nothing, and the session token that it was traded for goes on', async () => {
    const server = await startServer();
    const token = server.token();
    const { session } = await server.window(token);
    const again = server.socket();
    again.say({ token });
    expect(await again.ended).toEqual([4401, 'This link was used already, or belongs to an earlier run of Gatehouse.']);
    const two = await Promise.all([server.window(session), server.window(session)]);
    expect(two.map((window) => window.session)).toEqual([session, session]);
    expect(server.attending).toBe(3);
  });

  it.each([
    ['is wrong', { token: 'x'.repeat(43) }],
    ['is no text', { token: 5 }],
    ['is missing', { id: 1, request: 'doctor.run', input: {} }],
    ['is not JSON', 'token'],
    ['is in no text frame', Buffer.from('{"token":""}')],
  ])('that %s ends the connection, and nothing was done', async (_, frame) => {
    const server = await startServer();
    const client = server.socket();
    client.say(frame);
    client.say({ id: 2, request: 'doctor.run', input: {} });
    expect((await client.ended)[0]).toBe(4401);
    expect(client.told).toEqual([]);
    expect(server.attending).toBe(0);
  });

  it('that comes too late finds nobody', async () => {
    const server = await startServer({ limits: { presentMs: 500 } });
    const token = server.token();
    const late = server.socket();
    expect(await late.ended).toEqual([4401, 'No token came within 0.5 s.']);
    await expect(server.window(token)).resolves.toMatchObject({ told: [{ ready: true }] });
  });

  it('is all that a stranger may send', async () => {
    const server = await startServer();
    const client = server.socket();
    client.say({ token: 'x'.repeat(1_000_000) });
    expect(await client.ended).toEqual([1009, 'The first frame is the token and nothing else.']);
  });

  it('for another window comes in a link by the same way, and lets it in once', async () => {
    const server = await startServer();
    const host = `localhost:${server.port}`;
    const first = server.socket({ host, origin: `http://${host}` });
    first.say({ token: server.token() });
    await first.next();
    const { link, ...rest } = await first.ask({ id: 7, link: true });
    expect(rest).toEqual({ id: 7 });
    expect(link).toMatch(new RegExp(`^http://${host}/#token=[\\w-]{43}$`));
    const token = tokenOf(String(link));
    await server.window(token);
    const again = server.socket();
    again.say({ token });
    expect((await again.ended)[0]).toBe(4401);
  });
});

describe('a frame', () => {
  it.each(['hello', '[]', '{"id":null,"request":"doctor.run"}', Buffer.from([1, 2])])(
    '%j is answered once as no request, without an id, and changes nothing',
    async (frame) => {
      const server = await startServer({ handlers: doctor });
      const window = await server.window();
      window.say(frame);
      expect(await window.next()).toMatchObject({ id: null, ok: false, code: 'bad-line' });
      expect(await window.ask({ id: 1, request: 'doctor.run' })).toMatchObject({ ok: true });
    },
  );

  it('is answered as through every door when it asks for nothing that there is', async () => {
    const server = await startServer({ handlers: doctor });
    const window = await server.window();
    expect(await window.ask({ id: 1, request: 'no.such' })).toMatchObject({ ok: false, code: 'unknown-request' });
    expect(await window.ask({ id: 2, request: 'doctor.run', input: { x: 1 } })).toMatchObject({
      code: 'invalid-input',
    });
  });

  it('says which window a person touched last, and that one is told what only one is', async () => {
    const server = await startServer({ handlers: doctor });
    const [one, two] = [await server.window(), await server.window()];
    one.say({ touched: true });
    await one.ask({ id: 1, request: 'doctor.run' });
    server.windows.tellOne({ push: 'show', data: {} });
    expect(await one.next()).toEqual({ push: 'show', data: {} });
    await two.ask({ id: 1, request: 'doctor.run' });
    expect(two.told.map(({ push }) => push)).not.toContain('show');
  });
});

describe('limits', () => {
  it('a frame that is too large ends its connection, begins nothing, and nobody else notices', async () => {
    const begun: unknown[] = [];
    const note = async (input: unknown) => {
      begun.push(input);
      return { seq: 1 };
    };
    const server = await startServer({ handlers: { ...doctor, 'session.prompt': note } });
    const [one, two] = [await server.window(), await server.window()];
    one.say({ id: 1, request: 'session.prompt', input: { sessionId: 's_1', text: 'x'.repeat(16 * 1024 * 1024) } });
    expect((await one.ended)[0]).toBe(1009);
    expect(await two.ask({ id: 1, request: 'doctor.run' })).toMatchObject({ ok: true });
    expect(begun).toEqual([]);
    expect(server.attending).toBe(1);
  });

  it('no more than so many are connected, let in or not; the next is refused until one leaves', async () => {
    const server = await startServer({ limits: { sockets: 2 } });
    const window = await server.window();
    const waiting = server.socket();
    await new Promise((resolve) => waiting.socket.once('open', resolve));
    expect(await server.socket().refused).toEqual({ status: 503, body: 'Too many windows are connected.\n' });
    window.socket.close();
    await window.ended;
    await expect.poll(() => server.attending, SOON).toBe(0);
    await server.window();
  });

  it('who asks too fast is refused, and dropped when that does not help; an honest window is not', async () => {
    const server = await startServer({ handlers: doctor, limits: { burst: 5, perSecond: 0.001 } });
    const window = await server.window();
    const ask = (id: number) => window.ask({ id, request: 'doctor.run' });
    for (const id of [1, 2, 3, 4, 5]) expect(await ask(id)).toMatchObject({ ok: true });
    for (const id of [6, 7, 8, 9, 10]) expect(await ask(id)).toMatchObject({ ok: false, code: 'too-large' });
    window.say({ id: 11, request: 'doctor.run' });
    expect(await window.ended).toEqual([4429, 'Too many frames in a short time.']);
  });

  it('no more than so many requests of one window run at once', async () => {
    const go = Promise.withResolvers<void>();
    const slow = { 'doctor.run': () => go.promise.then(() => ({ checks: [] })) };
    const server = await startServer({ handlers: slow, limits: { unanswered: 2 } });
    const window = await server.window();
    for (const id of [1, 2, 3]) window.say({ id, request: 'doctor.run' });
    expect(await window.next()).toMatchObject({ id: 3, ok: false, code: 'too-large' });
    go.resolve();
    expect([await window.next(), await window.next()]).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(await window.ask({ id: 4, request: 'doctor.run' })).toMatchObject({ ok: true });
  });

  it('who does not answer when asked whether it is there is dropped; who does, stays', async () => {
    const server = await startServer({ limits: { pingMs: 50, missedPings: 3 } });
    const alive = await server.window();
    const dead = await server.window();
    dead.socket.pong = () => undefined;
    dead.socket.pause();
    await expect.poll(() => server.attending, SOON).toBe(1);
    await new Promise((resolve) => alive.socket.once('ping', resolve));
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  });

  it('a window hears a beat and how long a silence means that its connection is lost; a stranger hears none', async () => {
    const server = await startServer({ limits: { pingMs: 50 } });
    const stranger = server.socket();
    const told: unknown[] = [];
    stranger.socket.on('message', (data) => told.push(data));
    const window = server.socket();
    window.say({ token: server.token() });
    expect(await window.next()).toMatchObject({ ready: true, silentMs: 150 });
    expect([await window.next(), await window.next()]).toEqual([{ beat: true }, { beat: true }]);
    expect(told).toEqual([]);
  });
});
