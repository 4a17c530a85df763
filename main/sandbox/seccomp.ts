import { NUMBERS, type Architecture, type Syscall } from './syscalls.ts';

export interface FilterOptions {
  readonly architecture: Architecture;
  readonly unixSockets: boolean;
}

/** Classic BPF over `struct seccomp_data`: number at 0, architecture at 4, arguments from 16 on, low words first. */
const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 1;
const ENOSYS = 38;

const AUDIT: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const X32_BIT = 0x40000000;

/** Callers fall back where a kernel does not know these: `clone3` hides its flags from a filter. */
const UNKNOWN: readonly Syscall[] = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'];
const JUDGED: readonly Syscall[] = ['clone', 'ioctl', 'socket'];
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NAMESPACES = 0x7e020000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const AF_UNIX = 1;
const FAMILIES = [2, 10, 16]; // INET, INET6, NETLINK

interface Instruction {
  readonly code: number;
  readonly value: number;
  readonly yes: number;
  readonly no: number;
}

/** The filter of a confined launch, as an array of `struct sock_filter` (sandbox.md). What it does not name is allowed. */
export function seccompFilter({ architecture, unixSockets }: FilterOptions): Buffer {
  const numbers = NUMBERS[architecture];
  const refused = Object.entries(numbers).filter(([name]) => !isOneOf(name, UNKNOWN) && !isOneOf(name, JUDGED));
  const families = unixSockets ? [AF_UNIX, ...FAMILIES] : FAMILIES;
  return assemble([
    instruction(LOAD, 4),
    instruction(EQUAL, AUDIT[architecture], 1, 0),
    instruction(RETURN, KILL),
    instruction(LOAD, 0),
    ...(architecture === 'x64' ? [instruction(AT_LEAST, X32_BIT, 0, 1), failWith(EPERM)] : []),
    ...UNKNOWN.flatMap((name) => onCall(numbers[name], [failWith(ENOSYS)])),
    ...refused.flatMap(([, number]) => onCall(number, [failWith(EPERM)])),
    ...onCall(numbers.clone, [argument(0), instruction(ANY_BIT, NAMESPACES, 0, 1), failWith(EPERM), allow()]),
    ...onCall(numbers.ioctl, [argument(1), ...refuseAny([TIOCSTI, TIOCLINUX]), allow()]),
    ...onCall(numbers.socket, [argument(0), ...allowOnly(families)]),
    allow(),
  ]);
}

/** `body` runs for one call and always returns, so the number stays loaded for the next question. */
function onCall(number: number, body: readonly Instruction[]): Instruction[] {
  return [instruction(EQUAL, number, 0, body.length), ...body];
}

function refuseAny(values: readonly number[]): Instruction[] {
  return values.flatMap((value) => [instruction(EQUAL, value, 0, 1), failWith(EPERM)]);
}

function allowOnly(values: readonly number[]): Instruction[] {
  return [...values.flatMap((value) => [instruction(EQUAL, value, 0, 1), allow()]), failWith(EPERM)];
}

function argument(index: number): Instruction {
  return instruction(LOAD, 16 + 8 * index);
}

function failWith(errno: number): Instruction {
  return instruction(RETURN, 0x00050000 | errno);
}

function allow(): Instruction {
  return instruction(RETURN, ALLOW);
}

function instruction(code: number, value: number, yes = 0, no = 0): Instruction {
  return { code, value, yes, no };
}

function assemble(program: readonly Instruction[]): Buffer {
  const buffer = Buffer.alloc(program.length * 8);
  for (const [index, { code, value, yes, no }] of program.entries()) {
    buffer.writeUInt16LE(code, index * 8);
    buffer.writeUInt8(yes, index * 8 + 2);
    buffer.writeUInt8(no, index * 8 + 3);
    buffer.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return buffer;
}

function isOneOf(name: string, names: readonly string[]): boolean {
  return names.includes(name);
}
