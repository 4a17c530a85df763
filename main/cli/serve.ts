import { resolve } from 'node:path';
import { loginPath, loginShellOf } from '../host/loginPath.ts';
import { ASSETS_ROOT } from '../web/assetsRoot.ts';
import type { Address } from '../web/listen.ts';
import { EXIT, none, parse, UsageError, type Verb } from './verb.ts';

const options = {
  port: { type: 'string' },
  socket: { type: 'string' },
  assets: { type: 'string' },
  'no-open': { type: 'boolean' },
} as const;

export const serveVerb: Verb = {
  name: 'serve',
  summary: 'show the window in a browser of this machine, or of another through ssh',
  usage: `gatehouse serve [--port <number> | --socket <file>] [--no-open]

  --port <number>    listen there on 127.0.0.1 and ::1; default: a port that is free
  --socket <file>    listen on a socket file that only you may use, to be forwarded with ssh -L
  --assets <folder>  the built window; default: the one of this Gatehouse
  --no-open          print the link even where a window could be opened

Opens a window in an installed Chromium or Chrome, or prints a link that lets one window in, once.
SIGUSR2 prints another link. Ends with SIGTERM or SIGINT, and leaves nothing running.`,

  async run(argv, io) {
    const { values, positionals } = parse(argv, options);
    none(positionals);
    const address = addressOf(values, io.cwd);
    const { platform, env } = process;
    // Help and usage errors answer at once.
    const { serve } = await import('../web/serve.ts');
    await serve(
      {
        openCore: () => io.openCore({ loginPath: (signal) => loginPath(loginShellOf(env, platform), signal) }),
        assets: values.assets === undefined ? ASSETS_ROOT : resolve(io.cwd, values.assets),
        address,
        open: values['no-open'] !== true,
        reason: env['GATEHOUSE_HOST_REASON'],
        desk: { platform, env, uid: process.getuid?.() },
        stdout: io.stdout,
        stderr: io.stderr,
        signals: process,
      },
      io.signal,
    );
    return EXIT.completed;
  },
};

interface Wanted {
  readonly port?: string | undefined;
  readonly socket?: string | undefined;
}

function addressOf({ port, socket }: Wanted, cwd: string): Address {
  if (socket === undefined) return { kind: 'port', port: port === undefined ? 0 : portOf(port) };
  if (port !== undefined) throw new UsageError('--port and --socket exclude each other');
  return { kind: 'socket', path: resolve(cwd, socket) };
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port takes a number up to 65535, not ${text}`);
}
