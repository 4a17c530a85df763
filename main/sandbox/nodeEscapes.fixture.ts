import type { Escape, Prison } from './escape.fixture.ts';

const fails = ({ exitCode }: { readonly exitCode: number | null }) => exitCode !== 0;
const denied = ({ output }: { readonly output: string }) => output.includes('DENIED') && !output.includes('ALLOWED');
const js = JSON.stringify;

/** A module for WASI: it makes the file `pwned` in its first folder, and traps when it cannot. */
const MODULE =
  'AGFzbQEAAAABEQJgCX9/f39/fn5/fwF/YAAAAiQBFndhc2lfc25hcHNob3RfcHJldmlldzEJcGF0aF9vcGVuAAADAgEBBQMBAAEHEwIG' +
  'bWVtb3J5AgAGX3N0YXJ0AAEKHQEbAEEDQQBBCEEFQQFCwABCAEEAQQAQAARAAAsLCwsBAEEICwVwd25lZA==';

/** A thread of the usual size may not fit into the memory that there is, and would show nothing. */
const SMALL =
  '{ eval: true, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, codeRangeSizeMb: 16 } }';

/** What Node itself has besides `fs` that writes, starts or listens. */
export const nodeEscapes: readonly Escape[] = [
  {
    name: 'remove a file outside',
    sh: ({ outside }) => `rm -f '${outside}/file'`,
    node: ({ outside }) => `require('fs').rmSync(${js(`${outside}/file`)}, { force: true })`,
    held: fails,
    bites: true,
  },
  {
    name: 'write from another working directory',
    node: ({ outside }) => `process.chdir(${js(outside)}); require('fs').writeFileSync('pwned', 'x')`,
    held: fails,
    bites: true,
    spoils: true,
  },
  {
    name: 'write from a worker thread',
    node: (prison) =>
      `new Promise((done, fail) => { const worker = new (require('worker_threads').Worker)(${js(writing(prison))}, ${SMALL});` +
      ` worker.on('error', fail); worker.on('exit', done); })`,
    held: (ran) => fails(ran) && ran.output.includes('EROFS'),
    bites: true,
  },
  {
    name: 'write a diagnostic report',
    node: ({ outside }) => `process.report.directory = ${js(outside)}; process.report.writeReport('pwned')`,
    bites: true,
  },
  {
    name: 'write a heap snapshot',
    node: ({ outside }) => `require('v8').writeHeapSnapshot(${js(`${outside}/pwned`)})`,
    held: fails,
    bites: true,
  },
  {
    name: 'write a compile cache',
    node: ({ outside }) =>
      `console.log(require('module').enableCompileCache(${js(`${outside}/pwned`)}).status === 1 ? 'ALLOWED' : 'DENIED')`,
    held: denied,
    bites: true,
    spoils: true,
  },
  {
    name: 'write a database',
    node: ({ outside }) =>
      `new (require('node:sqlite').DatabaseSync)(${js(`${outside}/pwned`)}).exec('create table a (b)')`,
    held: fails,
    bites: true,
  },
  {
    name: 'write by WASI',
    node: ({ outside }) =>
      `{ const wasi = new (require('wasi').WASI)({ version: 'preview1', preopens: { '/out': ${js(outside)} } });` +
      ` const code = new WebAssembly.Module(Buffer.from('${MODULE}', 'base64'));` +
      ` wasi.start(new WebAssembly.Instance(code, wasi.getImportObject())); }`,
    held: fails,
    bites: true,
  },
  {
    name: 'start a program by an internal binding',
    node: ({ outside }) =>
      `{ const stdio = [0, 1, 2].map((fd) => ({ type: 'fd', fd })); const args = ['sh', '-c', ${js(`echo x > ${outside}/pwned`)}];` +
      ` const { status } = process.binding('spawn_sync').spawn({ file: '/bin/sh', args, envPairs: [], stdio });` +
      ` if (status !== 0) throw new Error(String(status)); }`,
    held: fails,
    bites: true,
  },
  {
    name: 'become another program',
    node: (prison) => `process.execve(process.execPath, [process.execPath, '-e', ${js(writing(prison))}], {})`,
    held: fails,
    bites: true,
    spoils: true,
  },
  {
    name: 'write through what other processes hold open',
    // Never unconfined: it would write into folders of everybody.
    node: () =>
      `{ const fs = require('fs'); for (const pid of fs.readdirSync('/proc').filter((name) => Number(name) > 0)) {` +
      ` let held = []; try { held = fs.readdirSync('/proc/' + pid + '/fd').map((fd) => '/proc/' + pid + '/fd/' + fd); } catch {}` +
      ` for (const path of held) try { const seen = fs.statSync(path); if (seen.isDirectory()) fs.writeFileSync(path + '/pwned', 'x');` +
      ` if (seen.isFile()) { fs.appendFileSync(path, 'x'); console.log('ALLOWED', fs.readlinkSync(path)); } } catch {} } }`,
    held: ({ output }) => !output.includes('ALLOWED'),
  },
  {
    name: 'speak on the channels',
    node: () =>
      `for (const fd of [3, 4, 5]) try { require('fs').writeSync(fd, '{"t":"stop","cell":1}\\ncode 0\\nleft 0\\n') } catch {}`,
    spoils: true,
  },
  {
    name: 'listen on the loopback of the host',
    // The host has this port: it can only be had on another loopback.
    node: ({ port }) =>
      `new Promise((done) => { const server = require('net').createServer().listen(${port}, '127.0.0.1');` +
      ` server.on('listening', () => { console.log('DENIED'); server.close(done); });` +
      ` server.on('error', (fault) => { console.log('ALLOWED', fault.code); done(); }); })`,
    held: denied,
  },
  {
    name: 'open the inspector on the loopback of the host',
    node: ({ port }) =>
      `{ const inspector = require('inspector'); try { inspector.open(${port}, '127.0.0.1') } catch {}` +
      ` console.log(inspector.url() ? 'DENIED' : 'ALLOWED'); inspector.close(); }`,
    held: denied,
    spoils: true,
  },
  {
    name: 'open the inspector of a process of the host',
    node: ({ hostPid }) => `process._debugProcess(${hostPid})`,
    held: fails,
  },
  { name: 'become another user', node: () => `process.setuid(process.getuid() + 1)`, held: fails },
  {
    name: 'gain privileges in the process itself',
    node: () =>
      `{ const status = require('fs').readFileSync('/proc/self/status', 'utf8'); const none = /^Cap\\w+:\\s*0+$/gm;` +
      ` console.log(status.match(none).length === 5 && /^NoNewPrivs:\\s*1$/m.test(status) && /^Seccomp:\\s*2$/m.test(status) ? 'DENIED' : 'ALLOWED'); }`,
    held: denied,
  },
];

function writing({ outside }: Prison): string {
  return `require('fs').writeFileSync(${js(`${outside}/pwned`)}, 'x')`;
}
