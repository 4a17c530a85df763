import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Channel, FRAME_LIMIT } from './channel.ts';
import type { KernelFrame } from './frames.ts';

/** A channel whose other end is the test. */
function open() {
  const written: string[] = [];
  const frames: KernelFrame[] = [];
  const broken: string[] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => (written.push(chunk.toString()), done()),
  });
  const channel = new Channel(stream, {
    frame: (frame) => void frames.push(frame),
    broken: (why) => void broken.push(why),
  });
  const say = (bytes: string | Buffer) => void stream.emit('data', Buffer.from(bytes));
  return { channel, frames, broken, written, say };
}

describe('a channel', () => {
  it('tells frames as they come, whatever pieces they come in', () => {
    const { frames, say } = open();
    const line = '{"t":"log","cell":1,"stream":"log","text":"é😀"}\n{"t":"pong","n":1,"active":2.5}\n';
    for (const byte of Buffer.from(line)) say(Buffer.from([byte]));
    expect(frames).toEqual([
      { t: 'log', cell: 1, stream: 'log', text: 'é😀' },
      { t: 'pong', n: 1, active: 2.5 },
    ]);
  });

  it('rebuilds a frame: members that it does not have are dropped', () => {
    const { frames, say } = open();
    say('{"t":"late","cell":0,"text":"x","more":{"a":1}}\n');
    expect(frames).toEqual([{ t: 'late', cell: 0, text: 'x' }]);
  });

  it.each([
    ['no JSON', 'x'],
    ['a number', '1'],
    ['a lone surrogate', '{"t":"late","cell":0,"text":"\\ud800"}'],
    ['a negative number', '{"t":"late","cell":-1,"text":"x"}'],
    ['a fraction', '{"t":"late","cell":1.5,"text":"x"}'],
    ['an unknown stream', '{"t":"log","cell":1,"stream":"other","text":"x"}'],
    ['an unknown end', '{"t":"done","cell":1,"token":"t","kind":"other"}'],
    ['no value', '{"t":"done","cell":1,"token":"t","kind":"value"}'],
    [
      'names that are none',
      '{"t":"done","cell":1,"token":"t","kind":"exception","name":"n","message":"m","stack":"s","unchanged":[1]}',
    ],
    ['a value that is too deep', `{"t":"display","cell":1,"value":${'['.repeat(300)}${']'.repeat(300)}}`],
  ])('is broken by a malformed frame, and tells nothing after it: %s', (_name, line) => {
    const { frames, broken, say } = open();
    say(`${line}\n{"t":"ready"}\n`);
    say('{"t":"ready"}\n');
    expect(broken).toEqual(['it sent a malformed frame']);
    expect(frames).toEqual([]);
  });

  it('is broken by bytes that are no text', () => {
    const { broken, say } = open();
    say(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    expect(broken).toEqual(['it sent a malformed frame']);
  });

  it('takes brackets in a string for what they are', () => {
    const { frames, say } = open();
    say(`{"t":"late","cell":0,"text":"\\"${'['.repeat(1000)}"}\n`);
    expect(frames).toHaveLength(1);
  });

  it('is broken at the cap, and holds no more', () => {
    const { broken, say } = open();
    const part = Buffer.alloc(1024 * 1024, 0x61);
    for (let sent = 0; sent <= FRAME_LIMIT; sent += part.length) say(part);
    expect(broken).toEqual(['it sent a frame that is too large']);
  });

  it('says one frame a line, and nothing once it is muted', () => {
    const { channel, written, frames, say } = open();
    channel.send({ t: 'ping', n: 1 });
    channel.mute();
    channel.send({ t: 'ping', n: 2 });
    say('{"t":"ready"}\n');
    expect(written).toEqual(['{"t":"ping","n":1}\n']);
    expect(frames).toEqual([]);
  });
});
