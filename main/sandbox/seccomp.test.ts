import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp.ts';
import { NUMBERS, type Architecture } from './syscalls.ts';

const ALLOW = 'allow';
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** The kernel's interpreter, as far as the filter needs it: what it says to one call. */
function interpret(filter: Buffer, data: Buffer): string {
  let accumulator = 0;
  for (let at = 0; ; at += 1) {
    if (at * 8 >= filter.length) throw new Error('The program runs past its end');
    const [code, yes, no, value] = [
      filter.readUInt16LE(at * 8),
      filter[at * 8 + 2] ?? 0,
      filter[at * 8 + 3] ?? 0,
      filter.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x06) return nameOf(value);
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else if (code === 0x35) at += accumulator >= value ? yes : no;
    else if (code === 0x45) at += (accumulator & value) !== 0 ? yes : no;
    else throw new Error(`Unknown instruction ${code}`);
  }
}

function nameOf(value: number): string {
  if (value === 0x7fff0000) return ALLOW;
  return value === 0x80000000 ? 'kill' : `errno ${value - 0x00050000}`;
}

function ask(filter: Buffer, number: number, args: readonly number[] = [], audit: number = AUDIT.x64): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(audit, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + index * 8);
  return interpret(filter, data);
}

describe.each<Architecture>(['x64', 'arm64'])('the filter for %s', (architecture) => {
  const filter = seccompFilter({ architecture, unixSockets: false });
  const numbers = NUMBERS[architecture];
  const on = (number: number, ...args: number[]) => ask(filter, number, args, AUDIT[architecture]);

  it('ends a process that calls as another architecture', () => {
    expect(ask(filter, 0, [], 0x40000003)).toBe('kill');
  });

  it.each([
    'mount',
    'umount2',
    'pivot_root',
    'chroot',
    'move_mount',
    'open_tree',
    'fsopen',
    'mount_setattr',
    'unshare',
    'setns',
  ] as const)('refuses %s', (name) => expect(on(numbers[name])).toBe('errno 1'));

  it.each([
    'ptrace',
    'process_vm_readv',
    'process_vm_writev',
    'pidfd_getfd',
    'bpf',
    'perf_event_open',
    'userfaultfd',
    'keyctl',
    'add_key',
  ] as const)('refuses %s', (name) => expect(on(numbers[name])).toBe('errno 1'));

  it('says of clone3 and of io_uring that there is no such thing, so that callers fall back', () => {
    for (const name of ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const)
      expect(on(numbers[name])).toBe('errno 38');
  });

  it('refuses clone only with a namespace', () => {
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(on(numbers.clone, flag | 17)).toBe('errno 1');
    expect(on(numbers.clone, 0x1200011)).toBe(ALLOW);
    expect(on(numbers.clone, 0x3d0f00)).toBe(ALLOW);
  });

  it('refuses to type into a terminal, whatever stands in the upper half of the argument', () => {
    expect(on(numbers.ioctl, 0, 0x5412)).toBe('errno 1');
    expect(on(numbers.ioctl, 0, 0x541c)).toBe('errno 1');
    expect(on(numbers.ioctl, 0, 0x100005412)).toBe('errno 1');
    expect(on(numbers.ioctl, 0, 0x5413)).toBe(ALLOW);
  });

  it('allows sockets of the internet and of netlink alone', () => {
    const allowed = Array.from({ length: 46 }, (_, family) => family).filter(
      (family) => on(numbers.socket, family) === ALLOW,
    );
    expect(allowed).toEqual([2, 10, 16]);
  });

  it('allows unix sockets where the setting says so', () => {
    const open = seccompFilter({ architecture, unixSockets: true });
    expect(ask(open, numbers.socket, [1], AUDIT[architecture])).toBe(ALLOW);
    expect(ask(open, numbers.socket, [40], AUDIT[architecture])).toBe('errno 1');
  });

  it('allows what it does not name', () => {
    const named = new Set<number>(Object.values(numbers));
    const others = Array.from({ length: 460 }, (_, number) => number).filter((number) => !named.has(number));
    expect(others.filter((number) => on(number) !== ALLOW)).toEqual([]);
  });
});

it('refuses the x32 calls that share an architecture with x64', () => {
  const filter = seccompFilter({ architecture: 'x64', unixSockets: false });
  expect(ask(filter, 0x40000000 + 1)).toBe('errno 1');
});
