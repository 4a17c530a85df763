import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from '../process/identity.ts';
import { findProgram } from './programs.ts';
import {
  collect,
  createWorld,
  makeRepository,
  never,
  policyFor,
  run,
  runningWith,
  session,
  start,
  tempRootOf,
  Transcript,
  type World,
} from './world.fixture.ts';

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.remove()));
});

function world(...options: Parameters<typeof createWorld>): World {
  const made = createWorld(...options);
  worlds.push(made);
  return made;
}

const sh = (script: string): readonly [string, ...string[]] => ['sh', '-c', script];

/** A folder with the programs of this system, for a PATH on which some are other or missing. */
async function programs(here: World, replaced: Readonly<Record<string, string | undefined>>): Promise<string> {
  const folder = join(here.base, 'bin');
  mkdirSync(folder, { recursive: true });
  for (const name of ['bwrap', 'nsenter', 'prlimit']) {
    const real = await findProgram(name, process.env['PATH'] ?? '');
    rmSync(join(folder, name), { force: true });
    if (!Object.hasOwn(replaced, name)) symlinkSync(real ?? '', join(folder, name));
    else if (replaced[name] !== undefined)
      writeFileSync(join(folder, name), replaced[name].replaceAll('REAL', real ?? ''), { mode: 0o755 });
  }
  return folder;
}

describe('what a Mode lets a process do', () => {
  it('SBX-1: read-only lets nothing be written but private temp', async () => {
    const here = world();
    const ran = await run(here, {
      policy: here.policy('read-only'),
      argv: sh('echo x > a; echo y > /tmp/a && cat /tmp/a'),
    });
    expect(ran).toMatchObject({ exitCode: 0, output: expect.stringContaining('Read-only file system') });
    expect(existsSync(join(here.workspace, 'a'))).toBe(false);
  });

  it('SBX-2: read-only lets a file be read and /dev/null be written', async () => {
    const here = world();
    writeFileSync(join(here.workspace, 'a'), 'content');
    const ran = await run(here, { policy: here.policy('read-only'), argv: sh('cat a > /dev/null && cat a') });
    expect(ran).toEqual({ exitCode: 0, signal: null, output: 'content' });
  });

  it('SBX-4: what is written to /tmp is seen by the next command of the Session, and by nobody else', async () => {
    const here = world();
    const policy = here.policy('workspace-write');
    const name = `/tmp/${session('x')}-${process.pid}`;
    await run(here, { policy, argv: sh(`echo shared > ${name}`) });
    expect(await run(here, { policy, argv: sh(`cat ${name}`) })).toMatchObject({ output: 'shared\n' });
    expect(await run(here, { policy, argv: sh(`cat ${name}`), sessionId: session('s2') })).toMatchObject({
      exitCode: 1,
    });
    expect(existsSync(name)).toBe(false);
    const root = await tempRootOf(here, policy);
    expect(readFileSync(join(root, name.slice('/tmp'.length)), 'utf8')).toBe('shared\n');
  });

  it('SBX-5: /proc/1/root leads nowhere, and a process still rules its own children', async () => {
    const here = world();
    const script = `echo x > /proc/1/root${here.outside}/a; sleep 60 & kill $! && wait $!; echo $?`;
    expect((await run(here, { policy: here.policy('workspace-write'), argv: sh(script) })).output).toContain('143');
    expect(readdirSync(here.outside)).toEqual([]);
  });

  it('SBX-12: two Sessions at once write into their own workspaces and not into the other', async () => {
    const here = world();
    const other = join(here.base, 'ws2');
    mkdirSync(other);
    const script = `echo x > mine; for d in ${here.workspace} ${other}; do echo y > $d/both; done`;
    const policies = [here.policy('workspace-write'), policyFor(other, 'workspace-write')];
    await Promise.all(
      policies.map((policy, index) => run(here, { policy, argv: sh(script), sessionId: session(`p${index}`) })),
    );
    expect([here.workspace, other].map((folder) => readdirSync(folder).toSorted())).toEqual([
      ['both', 'mine'],
      ['both', 'mine'],
    ]);
    await run(here, { policy: here.policy('workspace-write'), argv: sh(`echo z > ${other}/cross`) });
    expect(existsSync(join(other, 'cross'))).toBe(false);
  });

  it('lets git work and guards what would run later: hooks, configuration, the folder itself', async () => {
    const here = world();
    makeRepository(here.workspace);
    const commit = 'git -c user.name=a -c user.email=a@b.c commit -q -m one --no-verify';
    const script = `echo x > f && git add f && ${commit} && git branch b && git gc -q && git log --oneline | wc -l`;
    expect(await run(here, { policy: here.policy('workspace-write'), argv: sh(script) })).toMatchObject({
      exitCode: 0,
      output: '1\n',
    });
    expect(
      execFileSync('git', ['-C', here.workspace, 'branch', '--format=%(refname:short)'], { encoding: 'utf8' }),
    ).toBe('b\nmain\n');
  });

  it('guards configured names that exist, and makes nothing where they do not', async () => {
    const here = world();
    mkdirSync(join(here.workspace, '.vscode'));
    const policy = here.policy('workspace-write', { protectedNames: ['.vscode', '.idea'] });
    const process = await start(here, {
      policy,
      argv: sh('echo x > .vscode/tasks.json; mv .vscode v; echo ready; sleep 60'),
    });
    await new Transcript(process).until('ready');
    expect(readdirSync(here.workspace)).toEqual(['.vscode']);
    expect(readdirSync(join(here.workspace, '.vscode'))).toEqual([]);
    await process.close();
  });

  it('2-c: runs where protected entries are links, and writes through none of them', async () => {
    const here = world();
    makeRepository(here.workspace);
    const config = join(here.outside, 'bashrc');
    writeFileSync(config, 'original');
    renameSync(join(here.workspace, '.git/hooks'), join(here.workspace, 'hooks'));
    symlinkSync('../hooks', join(here.workspace, '.git/hooks'));
    symlinkSync(config, join(here.workspace, '.bashrc'));
    symlinkSync(join(here.base, 'nowhere'), join(here.workspace, '.env'));
    const names = { protectedNames: ['.bashrc', '.env'] };
    for (const mode of ['read-only', 'workspace-write'] as const)
      expect(await run(here, { policy: here.policy(mode, names), argv: ['true'] })).toMatchObject({ exitCode: 0 });
    const script = 'echo x >> .bashrc; rm .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-commit';
    await run(here, { policy: here.policy('workspace-write', names), argv: sh(script) });
    expect(readFileSync(config, 'utf8')).toBe('original');
    expect(existsSync(join(here.workspace, '.git/hooks/post-x'))).toBe(false);
    expect(realpathSync(join(here.workspace, '.git/hooks'))).toBe(join(here.workspace, 'hooks'));
  });

  it('shares one loopback among the commands of a Session', async () => {
    const here = world();
    const policy = here.policy('read-only');
    const serve = `require('http').createServer((q, r) => r.end('served')).listen(8123, '127.0.0.1', () => console.log('up'))`;
    const server = await start(here, { policy, argv: [process.execPath, '-e', serve] });
    await new Transcript(server).until('up');
    const ask = `fetch('http://127.0.0.1:8123').then((r) => r.text()).then(console.log, () => console.log('refused'))`;
    expect((await run(here, { policy, argv: [process.execPath, '-e', ask] })).output).toBe('served\n');
    expect((await run(here, { policy, argv: [process.execPath, '-e', ask], sessionId: session('s2') })).output).toBe(
      'refused\n',
    );
    await server.close();
  });
});

describe('where a workspace lies', () => {
  it.each(['/tmp', '/var/tmp'])('2-h: works below %s', async (below) => {
    const here = world({}, below);
    const policy = here.policy('workspace-write');
    const script = `pwd; echo in > in.txt; echo x > ${here.base}/beside; echo o > /tmp/other.txt; ls /tmp/other.txt`;
    const ran = await run(here, { policy, argv: sh(script) });
    expect(ran.output).toContain(`${here.workspace}\n`);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(here.workspace, 'in.txt'), 'utf8')).toBe('in\n');
    expect(existsSync(join(here.base, 'beside'))).toBe(false);
    expect(existsSync('/tmp/other.txt')).toBe(false);
    await run(here, { policy: here.policy('read-only'), argv: sh('rm in.txt') });
    expect(existsSync(join(here.workspace, 'in.txt'))).toBe(true);
  });

  it('SBX-13: a link followed by .. is the folder it leads to, and makes nothing writable', async () => {
    const here = world();
    mkdirSync(join(here.outside, 'deep'));
    symlinkSync(join(here.outside, 'deep'), join(here.workspace, 'link'));
    const policy = here.policy('workspace-write');
    const ran = await run(here, {
      policy,
      cwd: `${here.workspace}/link/..`,
      argv: sh('pwd -P; echo x > a; echo y > ../ws/b'),
    });
    expect(ran.output).toContain(`${here.outside}\n`);
    expect(readdirSync(here.outside)).toEqual(['deep']);
    expect(existsSync(join(here.workspace, 'b'))).toBe(true);
  });

  it('2-g: refuses a workspace that is gone, and one that was made again', async () => {
    const here = world();
    const policy = here.policy('workspace-write');
    renameSync(here.workspace, `${here.workspace}-away`);
    const request = { sessionId: session('s1'), policy, argv: ['true'], cwd: here.workspace } as const;
    expect(await here.provider.launch(request, never)).toMatchObject({ code: 'workspace-missing' });
    mkdirSync(here.workspace);
    expect(await here.provider.launch(request, never)).toMatchObject({ code: 'workspace-missing' });
    expect(await run(here, { policy: here.policy('workspace-write'), argv: ['true'] })).toMatchObject({ exitCode: 0 });
  });

  it('refuses to write into a workspace of another user, and reads it', async () => {
    const here = world();
    const isRoot = process.geteuid?.() === 0;
    const foreign = isRoot ? join(here.base, 'foreign') : '/usr';
    mkdirSync(foreign, { recursive: true });
    if (isRoot) chownSync(foreign, 4242, 4242);
    const policy = policyFor(foreign, 'workspace-write');
    const refused = await here.provider.launch(
      { sessionId: session('s1'), policy, argv: ['true'], cwd: foreign },
      never,
    );
    expect(refused).toMatchObject({ kind: 'unavailable', remedy: expect.stringContaining('read-only') });
    const readable = await run(here, {
      policy: policyFor(foreign, 'read-only'),
      argv: sh('git config --get safe.directory'),
    });
    expect(readable.output).toBe(`${foreign}\n`);
  });

  it('sees neither its own data nor what is hidden', async () => {
    const here = world();
    for (const folder of [here.home, here.outside]) writeFileSync(join(folder, 'secret'), 'secret');
    const policy = here.policy('workspace-write', { hide: [here.outside] });
    const ran = await run(here, {
      policy,
      argv: sh(`ls ${here.home} ${here.outside}; cat ${here.home}/secret ${here.outside}/secret`),
    });
    expect(ran.output).not.toMatch(/^secret/m);
  });
});

describe('a sandbox that cannot be had', () => {
  it('SBX-6, 3-a: runs nothing without bubblewrap, says what to install, and works once it is there', async () => {
    const before = world();
    const path = await programs(before, { bwrap: undefined });
    const here = world({ path });
    const marker = join(here.outside, 'ran');
    for (const mode of ['read-only', 'workspace-write'] as const) {
      const request = {
        sessionId: session('s1'),
        policy: here.policy(mode),
        argv: sh(`touch ${marker}`),
        cwd: here.workspace,
      };
      expect(await here.provider.launch(request, never)).toMatchObject({
        code: 'SANDBOX_UNAVAILABLE',
        remedy: 'Install the package bubblewrap.',
      });
    }
    expect(existsSync(marker)).toBe(false);
    expect(await here.provider.probe()).toMatchObject({ enforcement: 'none' });
    expect(await run(here, { policy: here.policy('danger-full-access'), argv: sh('echo free') })).toMatchObject({
      output: 'free\n',
    });
    await programs(before, {});
    expect(await run(here, { policy: here.policy('read-only'), argv: sh('echo back') })).toMatchObject({
      output: 'back\n',
    });
  });

  it('3-b: is not the exit code of a command, and keeps the words of the launcher for those who ask', async () => {
    const before = world();
    const path = await programs(before, {
      bwrap: '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n',
    });
    const here = world({ path });
    const request = {
      sessionId: session('s1'),
      policy: here.policy('read-only'),
      argv: ['true'],
      cwd: here.workspace,
    } as const;
    expect(await here.provider.launch(request, never)).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.not.stringContaining('uid map'),
      detail: expect.stringContaining('setting up uid map'),
    });
  });

  it('SBX-14: a launcher that prints a notice is no failure, and exit code 1 is the command’s own', async () => {
    const before = world();
    const path = await programs(before, { bwrap: '#!/bin/sh\necho "bwrap: notice" >&2\nexec REAL "$@"\n' });
    const here = world({ path });
    expect(await run(here, { policy: here.policy('read-only'), argv: sh('exit 1') })).toEqual({
      exitCode: 1,
      signal: null,
      output: 'bwrap: notice\n',
    });
  });

  it('is partial where launches cannot enter a Compartment, and still confines', async () => {
    const before = world();
    const here = world({ path: await programs(before, { nsenter: undefined }) });
    expect(await here.provider.probe()).toMatchObject({
      enforcement: 'partial',
      message: expect.stringContaining('temp not shared'),
    });
    const policy = here.policy('read-only');
    const process = await start(here, { policy, argv: sh('echo x > /tmp/a; touch b; ls /tmp') });
    expect(process.enforcement).toBe('partial');
    expect(await collect(process)).toContain('Read-only');
    // What the other launch wrote there is not here.
    expect(await run(here, { policy, argv: sh('ls -d /tmp/a /tmp/b') })).toMatchObject({ exitCode: 2 });
    await process.close();
  });

  it('fails the launch that finds the Compartment dead, because the temp is lost, and makes a new one after', async () => {
    const here = world();
    const policy = here.policy('read-only');
    await run(here, { policy, argv: ['true'] });
    const root = await tempRootOf(here, policy);
    process.kill(Number(root.split('/')[2]), 'SIGKILL');
    await expect.poll(() => existsSync(root)).toBe(false);
    const request = { sessionId: session('s1'), policy, argv: ['true'], cwd: here.workspace } as const;
    expect(await here.provider.launch(request, never)).toMatchObject({ message: expect.stringContaining('lost') });
    expect(await run(here, { policy, argv: sh('echo again') })).toMatchObject({ output: 'again\n' });
  });

  /** Does at the last moment what a process of a wider sandbox could do: a link where the folder was. */
  const swapped = (git: string) => `mv ${git} ${git}-away && ln -s ../outside ${git}; exec REAL "$@"`;
  /** The same, put back before the mount: the folder is in its place, and another one is mounted on it. */
  const swappedBack = (git: string, outside: string) => `n=$#
while [ $n -gt 0 ]; do
  a=$1; shift; n=$((n - 1)); b=$a
  [ "$p" = --bind ] && [ "$a" = ${git} ] && b=${outside}
  set -- "$@" "$b"; p=$a
done
exec REAL "$@"`;

  it.each([
    ['a link when it is mounted', swapped],
    ['a link when it is looked up', swappedBack],
  ])('starts nothing in a sandbox that came out other than ordered, because a folder was %s', async (_name, swap) => {
    const before = world();
    const here = world();
    makeRepository(here.workspace);
    mkdirSync(join(here.outside, 'hooks'));
    writeFileSync(join(here.outside, 'config'), '');
    const script = swap(`${here.workspace}/.git`, here.outside);
    const bwrap = `#!/bin/sh\ncase "$*" in *ESCAPE*) ;; *) exec REAL "$@";; esac\n${script}\n`;
    const racing = world({ path: await programs(before, { bwrap }), home: join(here.base, 'home2') });
    const argv = sh(': ESCAPE; echo x > .git/pwned; echo x > ../outside/pwned');
    const request = { sessionId: session('s1'), policy: here.policy('workspace-write'), argv, cwd: here.workspace };
    const launched = await racing.provider.launch(request, never);
    expect(readdirSync(here.outside).toSorted()).toEqual(['config', 'hooks']);
    expect(launched).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringMatching(/The sandbox (was built with|came out otherwise)/),
    });
  });
});

describe('what a process is given', () => {
  it('gives two-way channels from descriptor 3 on, and no other descriptor', async () => {
    const here = world();
    const program = `const s = new (require('net').Socket)({ fd: 4 }); s.once('data', (d) => { s.end('got ' + d); console.log(require('fs').readdirSync('/proc/self/fd').length) })`;
    const process_ = await start(here, {
      policy: here.policy('read-only'),
      argv: [process.execPath, '-e', program],
      channels: 2,
    });
    const [, channel] = process_.channels;
    channel?.write('hello');
    const [answer] = await Promise.all([
      new Promise((resolve) => channel?.once('data', (data) => resolve(String(data)))),
      process_.exited,
    ]);
    expect(answer).toBe('got hello');
    await process_.close();
  });

  it('leaves nothing open that the app has open', async () => {
    const here = world();
    const list = 'for f in /proc/self/fd/*; do readlink $f; done';
    const { output } = await run(here, { policy: here.policy('read-only'), argv: ['bash', '-c', list] });
    const kinds = output
      .trim()
      .split('\n')
      .map((line) => line.replace(/\d+/g, 'N').replace(/^\/.*pipes-.*/, 'pipe'));
    expect(kinds.filter((kind) => kind !== 'pipe' && kind !== '/dev/null' && !kind.startsWith('/proc/'))).toEqual([]);
  });

  it('3-c: gives no input and no terminal', async () => {
    const here = world();
    const ran = await run(here, {
      policy: here.policy('read-only'),
      argv: sh('cat; echo "cat $?"; (echo x > /dev/tty) 2>/dev/null || echo none'),
    });
    expect(ran.output).toBe('cat 0\nnone\n');
  });

  it('gives an input when it is asked for', async () => {
    const here = world();
    const cat = await start(here, { policy: here.policy('read-only'), argv: ['cat'], stdin: 'pipe' });
    cat.stdin?.end('typed');
    expect(await collect(cat)).toBe('typed');
    await cat.close();
  });

  it('gives an output that can be opened by its name', async () => {
    const here = world();
    const ran = await run(here, {
      policy: here.policy('read-only'),
      argv: sh('echo one > /dev/stderr; echo two > /proc/self/fd/1'),
    });
    // They are two pipes: which is read first is not said.
    expect(ran.output.split('\n').toSorted()).toEqual(['', 'one', 'two']);
  });

  it('loses nothing of a process that is over before anybody reads', async () => {
    const here = world();
    const process_ = await start(here, { policy: here.policy('read-only'), argv: ['echo', 'quick'] });
    await process_.exited;
    await process_.closed;
    expect(await collect(process_)).toBe('quick\n');
    await process_.close();
  });

  it('sets limits, and raises the chance to be ended first when memory runs out', async () => {
    const here = world();
    const script = 'ulimit -n; ulimit -u; ulimit -c; cat /proc/self/oom_score_adj';
    const { output } = await run(here, { policy: here.policy('read-only'), argv: ['bash', '-c', script] });
    expect(output).toBe('1024\n200\n0\n500\n');
  });

  it('PRC-4: prints no secret of the app', async () => {
    const here = world({ variables: { ...process.env, FAKE_TOKEN: 'nobody-sees-this' } });
    const ran = await run(here, {
      policy: here.policy('read-only'),
      argv: sh('env; cat /proc/1/environ'),
      env: { GIVEN_KEY: 'explicit' },
    });
    expect(ran.output).not.toContain('nobody-sees-this');
    expect(ran.output).toContain('GIVEN_KEY=explicit');
  });

  it.each(['read-only', 'danger-full-access'] as const)(
    '3-f: has an environment of 1 MiB in 300 variables under %s, which is seen whole',
    async (mode) => {
      const here = world();
      const env = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`V${index}`, 'x'.repeat(3_500)]));
      const ran = await run(here, { policy: here.policy(mode), argv: sh('env | grep ^V | wc -c; echo ok'), env });
      const bytes = Object.entries(env).reduce((sum, [name, value]) => sum + name.length + value.length + 2, 0);
      expect([ran.output, bytes > 2 ** 20]).toEqual([`${bytes}\nok\n`, true]);
    },
  );

  it('3-f: says so when the environment is too long to start anything', async () => {
    const here = world();
    const env = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`V${index}`, 'x'.repeat(20_000)]));
    const request = {
      sessionId: session('s1'),
      policy: here.policy('read-only'),
      argv: ['true'],
      cwd: here.workspace,
      env,
    } as const;
    expect(await here.provider.launch(request, never)).toMatchObject({
      message: expect.stringMatching(/are 60\d{5} bytes, and the system takes at most 2 MiB/),
    });
    expect(await run(here, { policy: here.policy('read-only'), argv: ['echo', 'ok'] })).toMatchObject({
      output: 'ok\n',
    });
  });
});

describe('ending a provider', () => {
  it('leaves nothing when a launch is given up while it starts', async () => {
    const here = world();
    const policy = here.policy('read-only');
    await run(here, { policy, argv: ['true'] });
    const reason = new Error('given up');
    const request = {
      sessionId: session('s1'),
      policy,
      argv: ['tail', '-f', '/dev/null', `${here.base}/up`],
      cwd: here.workspace,
    } as const;
    await expect(here.provider.launch(request, AbortSignal.abort(reason))).rejects.toBe(reason);
    for (const turns of [0, 1, 3, 10]) {
      const later = new AbortController();
      const launching = here.provider.launch(request, later.signal).catch((fault: unknown) => fault);
      // So many turns of the event loop are about so many steps of a launch.
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      later.abort(reason);
      expect(await launching).toBe(reason);
      expect(runningWith(`${here.base}/up`)).toEqual([]);
    }
  });

  it('ends the processes of one Session and its temp, and leaves the other alone', async () => {
    const here = world();
    const policy = here.policy('read-only');
    const [one, two] = await Promise.all(
      ['s1', 's2'].map((name) => start(here, { policy, argv: ['sleep', '300'], sessionId: session(name) })),
    );
    const root = await tempRootOf(here, policy);
    await here.provider.release(session('s1'));
    expect([one, two].map((process) => process && isAlive(process.identity))).toEqual([false, true]);
    expect(existsSync(root)).toBe(false);
  });

  it('ends everything, what is just starting included, and starts nothing more', async () => {
    const here = world();
    const policy = here.policy('read-only');
    const request = { sessionId: session('s1'), policy, argv: ['sleep', '300'], cwd: here.workspace } as const;
    const running = await start(here, request);
    const starting = here.provider.launch(request, never).catch(String);
    await here.provider.close();
    expect(await starting).toContain('closed');
    expect(isAlive(running.identity)).toBe(false);
    await expect(here.provider.launch(request, never)).rejects.toThrow('closed');
    expect(readdirSync(here.home)).toEqual(['temp']);
  });

  it('keeps the temp of the host as empty as it found it', async () => {
    const here = world();
    chmodSync(here.home, 0o700);
    await run(here, { policy: here.policy('workspace-write'), argv: sh('echo x > /tmp/a') });
    expect(readdirSync(join(here.home, 'temp'))).toEqual([]);
  });
});
