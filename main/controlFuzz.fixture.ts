import fc from 'fast-check';
import { requests } from '../app/contract/requests.ts';

/** A line as it is sent, without its newline. */
export type FuzzLine = Buffer;

/** What a line is owed, told from its bytes alone: a reply with its id, or one with null. */
export function owed(line: FuzzLine, limit: number): string | number | null {
  if (line.length > limit) return null;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const id = Object.hasOwn(value, 'id') ? (value as { readonly id: unknown }).id : undefined;
  if (typeof id === 'string') return id;
  return typeof id === 'number' && Number.isFinite(id) ? id : null;
}

const names = fc.constantFrom(...Object.keys(requests), 'toString', '__proto__', 'constructor', 'no.such', '');
const ids = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\ud800', '\u2028', '__proto__', 'x'.repeat(3_000), -0, 1e308, Number.MAX_SAFE_INTEGER + 2),
);
/** As a text: members may come twice and numbers may be larger than numbers are, which no object can say. */
const id = fc.oneof(
  ids.map((value) => JSON.stringify(value)),
  fc.constantFrom('1e999', '{}', 'null', '[1]', 'true'),
);
const poison = fc.constantFrom(
  '{"__proto__":{"id":7,"request":"doctor.run"}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"__proto__":{"polluted":true}}',
);
const input = fc.oneof(fc.json({ maxDepth: 4 }), poison, nest(), fc.constant('{}'));

/** A request that may be one of ours, asked with whatever comes. */
const request = fc
  .record({ id, name: names, input })
  .map(({ id: of, name, input: given }) => `{"id":${of},"request":${JSON.stringify(name)},"input":${given}}`);
const doubled = fc
  .tuple(id, id)
  .map(([one, other]) => `{"id":${one},"request":"x","id":${other},"request":"doctor.run"}`);

/** Cut, lengthened or changed in one place, as a broken client would. */
const mutated = fc
  .tuple(request, fc.nat(), fc.string({ maxLength: 3 }), fc.nat({ max: 3 }))
  .map(([text, at, put, cut]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + cut);
  });

const text = fc.oneof(
  { weight: 4, arbitrary: request },
  { weight: 2, arbitrary: mutated },
  doubled,
  poison,
  nest(),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '\r', '\ufeff{"id":1,"request":"doctor.run"}', '{"id":1,"request":"doctor.run"}\0'),
);

/** Lines of every kind, none with a newline inside; some end as Windows ends them, some are no text at all. */
export const fuzzLine: fc.Arbitrary<FuzzLine> = fc
  .oneof(
    { weight: 8, arbitrary: fc.tuple(text, fc.constantFrom('', '\r')).map((parts) => Buffer.from(parts.join(''))) },
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    text.map((said) => Buffer.concat([Buffer.from(said), Buffer.from([0xc3, 0x28])])),
    fc.integer({ min: 4_000, max: 9_000 }).map((length) => Buffer.alloc(length, 'x')),
  )
  .map((line) => Buffer.from(line.filter((byte) => byte !== 0x0a)));

function nest(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}']), fc.constantFrom(3, 60, 900))
    .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
}

/** The bytes of all lines, in pieces that know nothing of lines. */
export function chunksOf(lines: readonly FuzzLine[], size: number): readonly Buffer[] {
  const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
