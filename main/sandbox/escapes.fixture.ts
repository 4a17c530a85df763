import type { Escape, Prison } from './escape.fixture.ts';
import { NUMBERS } from './syscalls.ts';

const fails = ({ exitCode }: { readonly exitCode: number | null }) => exitCode !== 0;
const denied = ({ output }: { readonly output: string }) => output.includes('DENIED') && !output.includes('ALLOWED');
const quiet = ({ output }: { readonly output: string }) => !output.includes('ALLOWED');

const numbers = NUMBERS[process.arch === 'arm64' ? 'arm64' : 'x64'];
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const js = JSON.stringify;

/** A raw system call: what it returns decides, and EFAULT or EINVAL would mean that it was let in. */
function call(name: keyof typeof numbers, args: string, refusals = 'EPERM|ENOSYS'): () => string {
  const program =
    `use Errno; my ($none, $tmp, $tmpfs, $x, $root, $empty) = ("none", "/tmp", "tmpfs", "x" x 64, "/", ""); my $r = syscall(${numbers[name]}, ${args}); my ($e) = grep { $!{$_} } keys %!;` +
    ` print $r == -1 && $e =~ /^(${refusals})$/ ? "DENIED" : "ALLOWED $r $e";`;
  return () => `perl -e ${quote(program)}`;
}

function writing(name: string, path: (prison: Prison) => string): Escape {
  return {
    name: `write ${name}`,
    sh: (prison) => `echo pwned > ${quote(path(prison))}`,
    node: (prison) => `require('fs').writeFileSync(${js(path(prison))}, 'pwned')`,
    held: fails,
    bites: true,
  };
}

/** A promise, so that a program waits for what comes of it. */
function connecting(to: string): string {
  return (
    `new Promise((done) => { const socket = require('net').connect(${to}, () => done(console.log('ALLOWED', socket.remoteAddress)));` +
    ` socket.on('error', (fault) => done(console.log('DENIED', fault.code))); })`
  );
}

const files: readonly Escape[] = [
  writing('to the home folder', ({ userHome }) => `${userHome}/pwned`),
  writing('to the parent folder', () => '../outside/pwned'),
  writing('to a sibling with the same prefix', ({ sibling }) => `${sibling}/pwned`),
  writing('over a file through an old link', () => 'old-link-file'),
  writing('into a folder through an old link', () => 'old-link/pwned'),
  writing('through /proc/self/root', ({ outside }) => `/proc/self/root${outside}/pwned`),
  writing('into its own data', ({ home }) => `${home}/pwned`),
  { name: 'write to /etc', sh: ({ marker }) => `echo pwned > /etc/${marker}`, held: fails },
  {
    name: 'write through a new link',
    sh: ({ outside }) => `ln -s ${quote(outside)} new-link; echo pwned > new-link/pwned`,
    node: ({ outside }) =>
      `const fs = require('fs'); fs.symlinkSync(${js(outside)}, 'node-link'); fs.writeFileSync('node-link/pwned', 'x')`,
    held: fails,
    bites: true,
  },
  {
    name: 'write through /proc/<pid>/root',
    sh: ({ outside }) =>
      `for p in /proc/[0-9]*; do echo pwned > $p/root${outside}/pwned; done; test -e ${outside}/pwned`,
    held: fails,
    bites: true,
  },
  {
    name: 'write through the folders that processes are in',
    sh: ({ outside }) =>
      `for p in /proc/[0-9]*; do echo pwned > $p/cwd/../outside/pwned; done; test -e ${outside}/pwned`,
    held: fails,
    bites: true,
  },
  {
    name: 'write through a hard link',
    sh: ({ outside }) => `ln ${quote(`${outside}/file`)} twin && echo pwned >> twin`,
    node: ({ outside }) =>
      `const fs = require('fs'); fs.linkSync(${js(`${outside}/file`)}, 'twin2'); fs.appendFileSync('twin2', 'x')`,
    held: fails,
    bites: true,
  },
  {
    name: 'rename a file out',
    sh: ({ outside }) => `echo x > /tmp/mine; mv /tmp/mine ${quote(`${outside}/pwned`)}`,
    node: ({ outside }) => `require('fs').renameSync('inside', ${js(`${outside}/pwned`)})`,
    held: fails,
  },
  {
    name: 'rename a file in',
    sh: ({ outside }) => `mv ${quote(`${outside}/file`)} stolen`,
    node: ({ outside }) => `require('fs').renameSync(${js(`${outside}/file`)}, 'stolen2')`,
    held: fails,
    bites: true,
  },
  { name: 'chmod outside', sh: ({ outside }) => `chmod 777 ${quote(`${outside}/file`)}`, held: fails, bites: true },
  {
    name: 'set times outside',
    sh: ({ outside }) => `touch -d 2001-01-01 ${quote(`${outside}/file`)}`,
    node: ({ outside }) => `require('fs').utimesSync(${js(`${outside}/file`)}, 1, 1)`,
    held: fails,
    bites: true,
  },
  { name: 'read what is hidden', sh: ({ hidden }) => `cat ${hidden}/secret && echo ALLOWED`, held: quiet },
  { name: 'read its own data', sh: ({ home }) => `cat ${home}/key && echo ALLOWED`, held: quiet },
  { name: 'make a device', sh: () => 'mknod /tmp/disk b 259 0 && echo ALLOWED', held: quiet },
  {
    name: 'open a disk',
    sh: () => 'for d in /dev/sd* /dev/vd* /dev/nvme* /dev/mem; do test -e $d && echo ALLOWED; done',
    held: quiet,
  },
  {
    name: 'write through a leaked descriptor',
    sh: ({ leaked }) => `echo pwned > /proc/self/fd/${leaked}/pwned`,
    node: ({ leaked }) => `require('fs').writeFileSync('/proc/self/fd/${leaked}/pwned', 'x')`,
    held: fails,
  },
];

const git: readonly Escape[] = [
  {
    name: 'write a git hook',
    sh: () =>
      'echo pwned > .git/hooks/pre-commit; echo pwned > .git/hooks/post-commit; ln -s /bin/sh .git/hooks/pre-push',
    held: fails,
    bites: true,
  },
  {
    name: 'replace the git hooks',
    sh: () => 'mv .git/hooks .git/h && mkdir .git/hooks && echo x > .git/hooks/a',
    held: fails,
    bites: true,
  },
  {
    name: 'write the git configuration',
    sh: () => 'git config core.hooksPath /tmp/hooks || echo "[core]" >> .git/config',
    held: fails,
    bites: true,
  },
  { name: 'rename the git folder', sh: () => 'mv .git away', held: fails, bites: true },
];

const kernel: readonly Escape[] = [
  { name: 'remount', sh: ({ outside }) => `mount -o remount,rw,bind / && echo pwned > ${outside}/pwned`, held: fails },
  {
    name: 'unmount',
    sh: ({ home }) => `umount ${home} && echo ALLOWED; umount /proc/sys && echo ALLOWED`,
    held: quiet,
  },
  { name: 'mount', sh: () => 'mount -t tmpfs none /tmp && echo ALLOWED', held: quiet },
  { name: 'mount by system call', sh: call('mount', '$none, $tmp, $tmpfs, 0, 0'), held: denied },
  { name: 'open a tree', sh: call('open_tree', '-100, $root, 1'), held: denied },
  { name: 'enter a namespace', sh: call('setns', '0, 0'), held: denied },
  { name: 'make a user namespace', sh: () => 'unshare -Ur true && echo ALLOWED', held: quiet },
  { name: 'make a namespace by unshare', sh: call('unshare', '0x10000000'), held: denied },
  { name: 'make a namespace by clone', sh: call('clone', '0x10000011, 0, 0, 0, 0'), held: denied },
  { name: 'clone3', sh: call('clone3', '0, 0'), held: denied },
  { name: 'chroot', sh: call('chroot', '$tmp'), held: denied },
  {
    name: 'write a sysctl',
    sh: () => 'v=$(cat /proc/sys/vm/swappiness); echo $((v + 1)) > /proc/sys/vm/swappiness && echo ALLOWED',
    held: quiet,
  },
  { name: 'pull the emergency trigger', sh: () => 'echo h > /proc/sysrq-trigger && echo ALLOWED', held: quiet },
  { name: 'io_uring', sh: call('io_uring_setup', '1, 0'), held: denied },
  { name: 'keyctl', sh: call('keyctl', '0, -3, 0'), held: denied },
  { name: 'bpf', sh: call('bpf', '0, 0, 0'), held: denied },
  { name: 'perf', sh: call('perf_event_open', '0, 0, -1, -1, 0'), held: denied },
  { name: 'userfaultfd', sh: call('userfaultfd', '0'), held: denied },
  { name: 'kernel log', sh: call('syslog', '3, $x, 64'), held: denied },
  { name: 'load a module', sh: call('finit_module', '0, $empty, 0'), held: denied },
  { name: 'open by handle', sh: call('open_by_handle_at', '-100, 0, 0'), held: denied },
  { name: 'type into a terminal', sh: call('ioctl', '0, 0x5412, $x'), held: denied },
  { name: 'open the terminal', sh: () => 'echo > /dev/tty && echo ALLOWED', held: quiet },
  {
    name: 'run a setuid program',
    sh: () =>
      `for p in su passwd mount; do f=$(command -v $p) && test -u "$f" && { seen=1; ` +
      `sleep 5 | "$f" >/dev/null 2>&1 & sleep 0.3; for s in /proc/[0-9]*/status; do awk -v n="$p" -v u="$(id -u)" '/^Name:/ && $2 != n {exit} /^Uid:/ && $3 != u {print "ALLOWED", n, $3}' "$s" 2>/dev/null; done; }; done; test "$seen" && echo DENIED; kill $(jobs -p); true`,
    held: denied,
    spoils: true,
  },
  {
    name: 'gain privileges',
    sh: () =>
      `awk '/^NoNewPrivs/ && $2 == 1 {locked = 1} /^Cap(Inh|Prm|Eff|Bnd|Amb)/ && $2 !~ /^0+$/ {able = 1}` +
      ` END {print locked && !able ? "DENIED" : "ALLOWED"}' /proc/self/status`,
    held: denied,
  },
];

const processes: readonly Escape[] = [
  {
    name: 'see processes of the host',
    sh: ({ marker }) =>
      `m=${marker.slice(0, 8)}; cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -c "^$m"'-host$' && echo ALLOWED`,
    held: quiet,
  },
  {
    name: 'signal a process of the host',
    sh: ({ hostPid }) => `kill -9 ${hostPid}; kill -9 -1`,
    node: ({ hostPid }) => `process.kill(${hostPid}, 9)`,
    spoils: true,
  },
  { name: 'trace', sh: call('ptrace', '16, 1, 0, 0'), held: denied },
  { name: 'read the memory of another process', sh: call('process_vm_readv', '1, 0, 0, 0, 0, 0'), held: denied },
  { name: 'take a descriptor of another process', sh: call('pidfd_getfd', '0, 0, 0'), held: denied },
  {
    name: 'read the environment of the launcher',
    sh: ({ secret }) =>
      `m=${secret.slice(0, -1)}; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep "$m"'.$' && echo ALLOWED`,
    held: quiet,
  },
  {
    name: 'leave a process behind',
    sh: ({ marker }) =>
      `setsid sh -c 'trap "" TERM HUP; (setsid sh -c "trap : TERM; sleep 300; : ${marker}" &)' & (sleep 301 &) ; echo started`,
    node: ({ marker }) =>
      `require('child_process').spawn('sh', ['-c', 'trap "" TERM HUP; sleep 302; : ${marker}'], { detached: true, stdio: 'ignore' }).unref()`,
    spoils: true,
  },
];

const reach: readonly Escape[] = [
  {
    name: 'connect to a socket of the host',
    node: ({ sockets }) => `Promise.all(${js(sockets)}.map((path) => ${connecting('path')}))`,
    held: denied,
  },
  {
    name: 'connect to the loopback of the host',
    node: ({ port }) => connecting(`{ port: ${port}, host: '127.0.0.1' }`),
    held: denied,
  },
  { name: 'vsock', sh: call('socket', '40, 1, 0'), held: denied },
  { name: 'packet socket', sh: call('socket', '17, 3, 0'), held: denied },
  { name: 'crypto socket', sh: call('socket', '38, 5, 0'), held: denied },
  { name: 'unix socket', sh: call('socket', '1, 1, 0'), held: denied },
  {
    name: 'System V memory',
    sh: ({ sharedMemory }) => `perl -e 'my $x; print shmread(${sharedMemory}, $x, 0, 4) ? "ALLOWED" : "DENIED"'`,
    held: denied,
  },
];

const room: readonly Escape[] = [
  {
    name: 'fill the private temp',
    sh: ({ tempBytes }) =>
      `head -c ${tempBytes * 2} /dev/zero > /tmp/fill; s=$?; wc -c < /tmp/fill; rm -f /tmp/fill; exit $s`,
    held: fails,
    spoils: true,
  },
  {
    name: 'fill shared memory',
    sh: () => 'for i in 1 2 3; do head -c 50000000 /dev/zero > /dev/shm/$i || exit 1; done',
    held: fails,
    spoils: true,
  },
  {
    name: 'write a file without end',
    sh: () => 'head -c 80000000 /dev/zero > big; s=$?; rm -f big; exit $s',
    held: fails,
  },
  {
    name: 'fork bomb',
    // It never ends by itself: whatever the kernel counts, the watch of the sandbox ends it.
    sh: () => 'while :; do sleep 300 & done 2>/dev/null',
    held: fails,
    spoils: true,
  },
  {
    name: 'memory hog of several processes',
    sh: () => `for i in $(seq 8); do perl -e '$x = "x" x (100 << 20); sleep 300' & done; wait; echo ALLOWED`,
    held: (ran) => fails(ran) && quiet(ran),
    spoils: true,
  },
  {
    name: 'memory hog',
    node: () => `const a = []; for (let i = 0; i < 40; i++) a.push(Buffer.alloc(64 << 20, 1)); console.log('ALLOWED')`,
    held: (ran) => fails(ran) && quiet(ran),
    spoils: true,
  },
];

/** The escape table (sandbox.md): each row as root and as an ordinary user, in every confined Mode. */
export const escapes: readonly Escape[] = [...files, ...git, ...kernel, ...processes, ...reach, ...room];
