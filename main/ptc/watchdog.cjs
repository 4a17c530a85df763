'use strict';
// A thread beside the programs. It ends a busy program when the main thread does not see a stop by itself, and the whole
// process when the other end of descriptor 4 has gone.
const { workerData } = require('node:worker_threads');
const { Session } = require('node:inspector');
const { Socket } = require('node:net');

// The main thread gets this long to see the stop on its own: a termination would hit whatever it runs next.
const NOTICE_MS = 40;
const ATTEMPTS = 5;

const { fd, shared } = workerData;
const session = new Session();
session.connectToMainThread();
const channel = new Socket({ fd, readable: true, writable: false });
const end = () => process.kill(process.pid, 'SIGKILL');
let rest = '';
channel.setEncoding('utf8');
channel.on('error', end);
channel.on('end', end);
channel.on('close', end);
channel.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) void stop(JSON.parse(line).cell);
});

async function stop(cell) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isSeen(cell)) return;
    session.post('Runtime.terminateExecution');
  }
}

async function isSeen(cell) {
  const before = Atomics.load(shared, 0);
  if (before >= cell) return true;
  await Atomics.waitAsync(shared, 0, before, NOTICE_MS).value;
  return Atomics.load(shared, 0) >= cell;
}
