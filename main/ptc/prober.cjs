'use strict';
// Runs inside a Session's sandbox. Gets what to try as JSON on its input, tries one after the other, and says what came of
// each on a line of its own. Whatever it makes it removes at once; what exists is opened and never changed.
const { closeSync, openSync, readFileSync, statSync, unlinkSync } = require('node:fs');
const { connect } = require('node:net');
const { join } = require('node:path');

/** What a sandbox answers with. Anything else says nothing about it. */
const REFUSALS = new Set(['EROFS', 'EACCES', 'EPERM']);
const CONNECT_MS = 3000;

void tryAll(JSON.parse(readFileSync(0, 'utf8')));

async function tryAll({ tries, name }) {
  for (const each of tries) {
    const found = each.kind === 'place' ? tryPlace(each, name) : await tryAddress(each);
    process.stdout.write(`${JSON.stringify(found)}\n`);
  }
}

/** `identity` is the host's file of that path: another one under the same name is not the host's. */
function tryPlace({ path, identity }, name) {
  const found = look(path);
  if (typeof found === 'string') return { observed: 'hidden', detail: found };
  const isOfHost = `${found.dev}:${found.ino}` === identity;
  // A mask is a device, and to open one proves nothing.
  if (!isOfHost && !found.isDirectory() && !found.isFile()) return { observed: 'hidden' };
  const refusal = found.isDirectory() ? makeIn(path, name) : openForWriting(path);
  if (refusal === undefined) return { observed: isOfHost ? 'written' : 'private' };
  if (!REFUSALS.has(refusal)) return { observed: 'unclear', detail: refusal };
  return { observed: isOfHost ? 'denied' : 'hidden', detail: refusal };
}

function look(path) {
  try {
    return statSync(path, { bigint: true });
  } catch (fault) {
    return fault.code;
  }
}

function makeIn(folder, name) {
  const path = join(folder, name);
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (fault) {
    return fault.code;
  }
  unlinkSync(path);
  return undefined;
}

/** Neither truncated nor written to. */
function openForWriting(path) {
  try {
    closeSync(openSync(path, 'r+'));
    return undefined;
  } catch (fault) {
    return fault.code;
  }
}

/** Only who answers with the word that the host's listener was given is the host: the sandbox may have a port of that number. */
function tryAddress({ to, word }) {
  return new Promise((resolve) => {
    let heard = '';
    const end = (found) => {
      socket.destroy();
      resolve(found);
    };
    const socket = connect(to);
    socket.setTimeout(CONNECT_MS, () => end({ observed: 'unclear', detail: 'ETIMEDOUT' }));
    socket.on('data', (part) => (heard += part));
    socket.on('error', ({ code }) => end({ observed: 'blocked', detail: code }));
    socket.on('close', () => end({ observed: heard === word ? 'reached' : 'blocked' }));
  });
}
