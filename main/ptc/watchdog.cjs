'use strict';
// A thread beside the programs. It ends a busy program when the main thread does not see a stop by itself, and the whole
// process when the other end of descriptor 4 has gone.
const { workerData } = require('node:worker_threads');
const { Session } = require('node:inspector');
const { Socket } = require('node:net');

/** Between two looks at the main thread, and how long it may take to answer one. */
const LOOK_MS = 3;
const ANSWER_MS = 40;
const LOOKS = 60;

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

/**
 * The main thread sees the stop by itself when it is free, and must not be terminated then, nor while the kernel's own
 * code runs: it is asked where it is, which it answers in the middle of a loop as well.
 */
async function stop(cell) {
  for (let look = 0; look < LOOKS && !isSeen(cell); look += 1) {
    if ((await place()) === 'program') session.post('Runtime.terminateExecution');
    await seenWithin(cell, LOOK_MS);
  }
}

/** A main thread that answers nothing is blocked in a native call: that too is the program's. */
function place() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ANSWER_MS, 'program');
    session.post('Runtime.evaluate', { expression: '__ghim.where()' }, (_fault, answer) => {
      clearTimeout(timer);
      resolve(answer?.result?.value);
    });
  });
}

function isSeen(cell) {
  return Atomics.load(shared, 0) >= cell;
}

async function seenWithin(cell, ms) {
  const before = Atomics.load(shared, 0);
  if (before < cell) await Atomics.waitAsync(shared, 0, before, ms).value;
}
