'use strict';
// What the kernel does to its own process before and beside the programs.
const { closeSync, readdirSync, readFileSync } = require('node:fs');

module.exports = { closeLeaks, hideRunAsNode, watchLeftovers };

const CLOSE_ON_EXEC = 0o2000000;
const MARKED = 16;

/** Descriptors that a spawned child would inherit. Node has marked the first 16, ours among them (sandbox.md). */
function closeLeaks() {
  for (const name of list('/proc/self/fd')) {
    const fd = Number(name);
    if (fd >= MARKED && !isCloseOnExec(name)) close(fd);
  }
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No /proc here, as on macOS.
  }
}

function isCloseOnExec(name) {
  try {
    const flags = /flags:\s*([0-7]+)/.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1'));
    return (Number.parseInt(flags[1], 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true; // The descriptor of the listing itself is gone by now.
  }
}

function close(fd) {
  try {
    closeSync(fd);
  } catch {
    // Closed by its owner meanwhile.
  }
}

/** Electron's own switch is no business of the program, but a child that runs this executable as Node needs it again. */
function hideRunAsNode() {
  const value = process.env.ELECTRON_RUN_AS_NODE;
  if (value === undefined) return;
  delete process.env.ELECTRON_RUN_AS_NODE;
  const children = require('node:child_process');
  const { execPath } = process;
  const { spawn } = children.ChildProcess.prototype;
  children.ChildProcess.prototype.spawn = function (options) {
    if (options.file === execPath) options.envPairs?.push(`ELECTRON_RUN_AS_NODE=${value}`);
    return Reflect.apply(spawn, this, [options]);
  };
  for (const name of ['spawnSync', 'execFileSync']) {
    const real = children[name];
    children[name] = (file, ...rest) => {
      if (file !== execPath) return real(file, ...rest);
      const args = Array.isArray(rest[0]) ? rest[0] : [];
      const options = (Array.isArray(rest[0]) ? rest[1] : rest[0]) ?? {};
      return real(file, args, { ...options, env: { ...(options.env ?? process.env), ELECTRON_RUN_AS_NODE: value } });
    };
  }
  require('node:module').syncBuiltinESMExports();
}

/**
 * Tells whether a stopped program could still go on: something that the event loop waits for and that was not there when
 * it began, or a child or thread of its own. Timers of a stopped program are cancelled before this is asked.
 */
function watchLeftovers(running) {
  const resources = process.getActiveResourcesInfo.bind(process);
  const count = () => resources().length;
  const own = (thing, gone) => {
    const program = running.getStore();
    if (!program) return;
    program.alive = (program.alive ?? 0) + 1;
    thing.once(gone, () => (program.alive -= 1));
  };
  require('node:diagnostics_channel').subscribe('child_process', ({ process: child }) => own(child, 'exit'));
  process.on('worker', (thread) => own(thread, 'exit'));
  return { count, isInert: (program) => (program.alive ?? 0) === 0 && count() <= program.started };
}
