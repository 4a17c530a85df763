'use strict';
// The process that evaluates programs (ptc.md, Kernel and channel). Descriptor 3 carries JSON lines; with the argument
// `watched`, descriptor 4 belongs to the watchdog thread. What a program could replace is taken before the first one runs.
const { AsyncLocalStorage } = require('node:async_hooks');
const { Session } = require('node:inspector');
const { Socket } = require('node:net');
const { performance } = require('node:perf_hooks');
const { isPromise } = require('node:util').types;
const { end, send } = require('./wire.cjs');
const { closeLeaks, hideRunAsNode, watchLeftovers } = require('./host.cjs');
const { install } = require('./surface.cjs');
const { describeError, inspectText, losslessJson } = require('./values.cjs');

const { parse } = JSON;
const { apply } = Reflect;
const { then } = Promise.prototype;
const utilization = performance.eventLoopUtilization.bind(performance);
const immediate = setImmediate;

const running = new AsyncLocalStorage();
const state = { current: undefined, calls: new Map(), lastCall: 0 };
const session = new Session();
session.connect();

const watched = process.argv[2] === 'watched';
closeLeaks();
hideRunAsNode();
const leftovers = watchLeftovers(running);
const surface = install({ running, state, send });
process.argv.length = 1;

process.setUncaughtExceptionCaptureCallback(late);
process.on('unhandledRejection', late);
listen();
send({ t: 'ready' });
// After the answer, which it would delay, and before the first program, which may be busy from its first moment.
const seen = watched ? startWatchdog() : undefined;

function listen() {
  const channel = new Socket({ fd: 3, readable: true, writable: false });
  const queue = [];
  let rest = '';
  channel.setEncoding('utf8');
  channel.on('error', end);
  channel.on('end', end);
  channel.on('close', end);
  channel.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    queue.push(...lines);
    next(queue);
  });
}

/** One frame a turn: a termination ends the turn that it hits, and what came after in the same read is not lost. */
function next(queue) {
  const line = queue.shift();
  if (queue.length > 0) immediate(next, queue);
  if (line !== undefined) receive(parse(line));
}

function receive(frame) {
  switch (frame.t) {
    case 'run':
      return run(frame);
    case 'reply':
      return surface.reply(frame);
    case 'stop':
      return stop(frame.cell);
    case 'ping':
      return send({ t: 'pong', n: frame.n, active: utilization().active });
  }
}

function run({ cell, token, source, names, tools }) {
  const program = {
    cell,
    token,
    over: false,
    timers: new Set(),
    started: leftovers.count(),
    before: surface.values(names),
  };
  state.current = program;
  running.run(program, () => {
    surface.offer(tools);
    const expression = `${source}\n//# sourceURL=cell-${cell}.js`;
    session.post('Runtime.evaluate', { expression, replMode: true, awaitPromise: true }, (fault, answer) => {
      evaluated(program, fault, answer);
    });
  });
}

/** An evaluation that the watchdog terminated comes back as a fault: the stop that follows says how the program ended. */
function evaluated(program, fault, answer) {
  if (fault) return;
  if (answer.exceptionDetails) {
    const { exception } = answer.exceptionDetails;
    // A syntax that only the engine refuses has its exception here too.
    return take(exception, (value) => threw(program, value));
  }
  if ('value' in program) return completed(program, program.value);
  take(answer.result, (value) => completed(program, value));
}

/** The value behind a remote object. Only a completion that is no expression comes this way, and what was thrown. */
function take(remote, next) {
  if (remote?.objectId === undefined) return next(primitive(remote));
  const functionDeclaration = 'function(){ "use strict"; __ghim.taken(this) }';
  session.post('Runtime.callFunctionOn', { objectId: remote.objectId, functionDeclaration }, () => {
    session.post('Runtime.releaseObject', { objectId: remote.objectId });
    next(surface.taken());
  });
}

function primitive(remote) {
  const special = remote?.unserializableValue;
  if (special === undefined) return remote?.value;
  return special.endsWith('n') ? BigInt(special.slice(0, -1)) : Number(special);
}

/** A promise as the completion value stands for what it resolves to, as it does behind `return`. */
function completed(program, value) {
  if (!isPromise(value)) return finish(program, valueFrame(value));
  apply(then, value, [(inner) => finish(program, valueFrame(inner)), (reason) => threw(program, reason)]);
}

function threw(program, reason) {
  finish(program, { kind: 'exception', ...describeError(reason), unchanged: surface.unchanged(program.before) });
}

function valueFrame(value) {
  const json = losslessJson(value);
  return json.ok ? { kind: 'value', json: json.text } : { kind: 'inspected', text: inspectText(value) };
}

function finish(program, { json, ...end }) {
  if (program.over) return;
  program.over = true;
  if (state.current === program) state.current = undefined;
  state.calls.clear();
  const frame = { t: 'done', cell: program.cell, token: program.token, ...end };
  send(frame, json);
}

/**
 * Answered two turns of the event loop later: a termination may have broken what the loop checks between turns, and then
 * this process dies before it claims that its variables were kept. `inert`: nothing is left that could resume the program.
 */
function stop(cell) {
  immediate(() =>
    immediate(() => {
      seen?.(cell);
      const program = state.current;
      if (program?.cell !== cell) return;
      surface.cancelTimers(program);
      finish(program, { kind: 'stopped', inert: leftovers.isInert(program) });
    }),
  );
}

function late(reason) {
  const cell = running.getStore()?.cell ?? 0;
  send({ t: 'late', cell, text: describeError(reason).stack });
}

/** Returns how the main thread tells the watchdog that it saw a stop by itself and needs no termination. */
function startWatchdog() {
  const { Worker } = require('node:worker_threads');
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const options = {
    workerData: { fd: 4, shared },
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  };
  const thread = new Worker(`${__dirname}/watchdog.cjs`, options);
  thread.unref();
  thread.on('error', end);
  return (cell) => {
    Atomics.store(shared, 0, cell);
    Atomics.notify(shared, 0);
  };
}
