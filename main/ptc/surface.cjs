'use strict';
// The names a program finds besides Node's own: tools, ToolError, console, display, require and what `import` becomes.
// What not every program needs is made when one asks for it: a cold start waits for this file.
const { join } = require('node:path');
const { promisify } = require('node:util');
const { inspectText, losslessJson } = require('./values.cjs');

const { defineProperty, freeze, fromEntries, preventExtensions } = Object;
const { getOwnPropertyDescriptor } = Reflect;
const { Console } = console;
const cwd = process.cwd();
const load = require;
const { is } = Object;
const { captureStackTrace } = Error;
/** Characters of one log frame. */
const CHUNK = 256 * 1024;

module.exports = { install };

class ToolError extends Error {
  constructor({ tool, code, message }) {
    super(message);
    this.name = 'ToolError';
    this.tool = tool;
    this.code = code;
  }
}

function install({ running, state, send }) {
  const hidden = hiddenImport(running);
  const write = (stream, text) => {
    const cell = running.getStore()?.cell ?? 0;
    for (const part of chunks(text)) send({ t: 'log', cell, stream, text: part });
  };
  define('ToolError', ToolError);
  defineLazily(globalThis, 'console', () => createConsole(write));
  define('display', (value) => display(value, running.getStore()?.cell ?? 0, send));
  defineLazily(globalThis, 'require', () => load('node:module').createRequire(join(cwd, 'cell.js')));
  defineProperty(globalThis, '__ghim', { value: hidden.import });
  for (const name of ['stdout', 'stderr']) {
    const { get } = getOwnPropertyDescriptor(process, name);
    defineLazily(process, name, () => redirect(get.call(process), name, write));
  }
  trackTimers(running);
  return {
    offer: (names) => define('tools', toolTable(names, { running, state, send })),
    reply: (frame) => reply(frame, state),
    taken: hidden.taken,
    values,
    unchanged,
    cancelTimers,
  };
}

function define(name, value) {
  defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

/** As if it had always been there; a program may replace it like any other global. */
function defineLazily(object, name, create) {
  const set = (value) => defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });
  const get = () => {
    const value = create();
    set(value);
    return value;
  };
  defineProperty(object, name, { get, set, configurable: true, enumerable: false });
}

/**
 * `import` in evaluated text has no module to be relative to, so the host writes `__ghim` in its place, and `__ghim.v = …`
 * around the completion value: a value that went through the inspector would be copied twice.
 * Modules are cached for the life of the process, as Node does it.
 */
function hiddenImport(running) {
  let dynamic;
  const hidden = (name, options) => (dynamic ??= createImport())(name, options);
  let taken;
  defineProperty(hidden, 'v', {
    set(value) {
      const program = running.getStore();
      if (program) program.value = value;
    },
  });
  hidden.taken = (value) => (taken = value);
  hidden.where = where;
  defineLazily(hidden, 'meta', createMeta);
  return { import: preventExtensions(hidden), taken: () => taken };
}

function createImport() {
  const { Script, constants } = load('node:vm');
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const options = { filename: join(cwd, 'cell.js'), importModuleDynamically };
  return new Script('(name, options) => import(name, options)', options).runInThisContext();
}

function createMeta() {
  const filename = join(cwd, 'cell.js');
  return freeze({ url: load('node:url').pathToFileURL(filename).href, filename, dirname: cwd });
}

/** Whose code the main thread is in: asked by the watchdog, answered on top of whatever runs. */
function where() {
  const at = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  captureStackTrace(at, where);
  Error.stackTraceLimit = limit;
  const [, , ...frames] = String(at.stack).split('\n');
  const top = frames.find((frame) => !/\(?node:[\w/]+:\d+:\d+\)?$/.test(frame));
  if (top === undefined) return 'idle';
  return top.includes(__dirname) ? 'kernel' : 'program';
}

/** Own properties of a table without a prototype: a program cannot reach a tool that was not offered. */
function toolTable(names, parts) {
  const table = fromEntries(names.map((name) => [name, (input) => call(name, input, parts)]));
  return freeze(Object.setPrototypeOf(table, null));
}

function call(tool, input, { running, state, send }) {
  const program = running.getStore();
  const refuse = (code, message) => Promise.reject(new ToolError({ tool, code, message }));
  if (!program || program.over) return refuse('stopped', 'The program that made this call has ended');
  const json = losslessJson(input);
  if (!json.ok) return refuse('invalid-input', `The input of ${tool} is not lossless JSON: ${json.reason}`);
  return new Promise((resolve, reject) => {
    state.lastCall += 1;
    state.calls.set(state.lastCall, { resolve, reject });
    send({ t: 'call', cell: program.cell, token: program.token, call: state.lastCall, tool }, json.text);
  });
}

function reply({ call: id, ok, value, error }, { calls }) {
  const waiting = calls.get(id);
  calls.delete(id);
  if (ok) waiting?.resolve(value);
  else waiting?.reject(new ToolError(error));
}

function display(value, cell, send) {
  const json = losslessJson(value);
  send({ t: 'display', cell }, json.ok ? json.text : JSON.stringify(inspectText(value)));
}

function createConsole(write) {
  const stream = { write: (text) => write('log', text) };
  return new Console({ stdout: stream, stderr: stream, ignoreErrors: false, colorMode: false });
}

/** What a program writes to its own stdout keeps its place among the logs; only children use the descriptor itself. */
function redirect(stream, name, write) {
  stream.write = (chunk, encoding, done) => {
    const callback = typeof encoding === 'function' ? encoding : done;
    write(name, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    if (typeof callback === 'function') process.nextTick(callback);
    return true;
  };
  return stream;
}

function chunks(text) {
  if (text.length <= CHUNK) return [text.toWellFormed()];
  const parts = [];
  for (let at = 0; at < text.length;) {
    const pair = (text.charCodeAt(at + CHUNK - 1) & 0xfc00) === 0xd800;
    const next = at + CHUNK - (pair ? 1 : 0);
    parts.push(text.slice(at, next).toWellFormed());
    at = next;
  }
  return parts;
}

/** The timers of each program are known, so that stopping it can cancel them and leave those of others alone. */
function trackTimers(running) {
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    const real = globalThis[name];
    const once = name !== 'setInterval';
    const tracked = (callback, ...rest) => {
      const timers = running.getStore()?.timers;
      if (!timers || typeof callback !== 'function') return real(callback, ...rest);
      const fire = (...parameters) => {
        if (once) timers.delete(timer);
        return callback.apply(timer, parameters);
      };
      const timer = real(fire, ...rest);
      timers.add(timer);
      return timer;
    };
    defineProperty(tracked, 'name', { value: name });
    defineProperty(tracked, promisify.custom, { value: real[promisify.custom] });
    define(name, tracked);
  }
}

function cancelTimers({ timers }) {
  for (const timer of timers) {
    clearTimeout(timer);
    clearImmediate(timer);
  }
  timers.clear();
}

function values(names) {
  return names.map((name) => [name, getOwnPropertyDescriptor(globalThis, name)?.value]);
}

/** Names that a failed program declared or assigned and that still have the value from before. */
function unchanged(before) {
  return before
    .filter(([name, value]) => is(getOwnPropertyDescriptor(globalThis, name)?.value, value))
    .map(([name]) => name);
}
