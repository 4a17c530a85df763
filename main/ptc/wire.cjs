'use strict';
// The writing side of descriptor 3. One writer, blocking: frames keep their order, nothing piles up in this process, and
// a program that floods waits for its reader.
const { writeSync } = require('node:fs');

const { stringify } = JSON;
const { kill, pid } = process;
const pause = new Int32Array(new SharedArrayBuffer(4));
const { wait } = Atomics;
const { from } = Buffer;

module.exports = { end, send };

/** `json` is the text of the member `value`, where the caller has it already. */
function send(frame, json) {
  const text = stringify(frame);
  write(from(json === undefined ? `${text}\n` : `${text.slice(0, -1)},"value":${json}}\n`));
}

function write(bytes) {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(3, bytes, at);
    } catch (fault) {
      if (fault.code !== 'EAGAIN') end();
      wait(pause, 0, 0, 1);
    }
  }
}

/** No exit handlers of the program: whoever owns the other end has gone. */
function end() {
  kill.call(process, pid, 'SIGKILL');
}
