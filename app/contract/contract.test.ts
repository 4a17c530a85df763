import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ApprovalId, CleanupId, JobId, SessionId } from '../base/id.ts';
import { PUSH, REQUEST } from './channel.ts';
import type { Push } from './pushes.ts';
import { ERROR_CODES } from './reply.ts';
import { isRequest, requests, type Handlers, type Input, type RequestName } from './requests.ts';

// The lists of contract.md, written out once more: a name that is added, lost or misspelt fails here.
const NAMES =
  'session.create session.list session.open session.events session.prompt session.stop session.idle session.verify ' +
  'preset.list preset.preview preset.set mode.set approvalPolicy.set approval.list approval.decide ' +
  'cleanup.list cleanup.retry environment.list environment.reset tool.declarations job.list job.output job.stop doctor.run probe.run settings.get settings.set settings.replace ' +
  'script.release text.read demo.start host.describe host.pickFolder host.openExternal secret.list secret.set secret.remove';
const CODES =
  'bad-line too-large unknown-request invalid-input not-found read-only damaged newer-version workspace-missing ' +
  'workspace-refused unknown-preset script-invalid open-turn no-boundary storage SANDBOX_UNAVAILABLE conflict ' +
  'forbidden closing internal';

const session = 's_1' as SessionId;
/** One good input of every request. */
const GOOD: { readonly [N in RequestName]: Input<N> } = {
  'session.create': { workspace: '/w', preset: 'read-only', agent: 'script:/s.json', title: 'T', confirmed: ['home'] },
  'session.list': { query: 'x', state: 'idle', workspace: '/w', archived: false, cursor: 'c' },
  'session.open': { sessionId: session, after: 3 },
  'session.events': { sessionId: session, from: 0, to: 10 },
  'session.prompt': { sessionId: session, text: 'Go' },
  'session.stop': { sessionId: session },
  'session.idle': { sessionId: session },
  'session.verify': { sessionId: session },
  'preset.list': {},
  'preset.preview': { sessionId: session, preset: 'read-only' },
  'preset.set': { sessionId: session, preset: 'read-only' },
  'mode.set': { sessionId: session, mode: 'read-only' },
  'approvalPolicy.set': { sessionId: session, policy: 'never' },
  'approval.list': { sessionId: session },
  'approval.decide': { approvalId: 'a_1' as ApprovalId, decision: 'deny', note: 'no' },
  'cleanup.list': {},
  'cleanup.retry': { cleanupId: 'k_1' as CleanupId },
  'environment.list': {},
  'environment.reset': { sessionId: session },
  'tool.declarations': { sessionId: session },
  'job.list': { sessionId: session },
  'job.output': { jobId: 'j_1' as JobId, from: 3 },
  'job.stop': { jobId: 'j_1' as JobId },
  'doctor.run': {},
  'probe.run': { sessionId: session },
  'settings.get': {},
  'settings.set': { revision: 'r', changes: { userDefault: 'read-only' } },
  'settings.replace': { revision: 'r', changes: {} },
  'script.release': { sessionId: session, barrier: 'go' },
  'text.read': { sessionId: session, blob: 'ab'.repeat(32), from: 3, bytes: 10 },
  'demo.start': {},
  'host.describe': {},
  'host.pickFolder': {},
  'host.openExternal': { url: 'https://example.org' },
  'secret.list': {},
  'secret.set': { name: 'webhook', value: 's', agreed: true },
  'secret.remove': { name: 'webhook' },
};
const names = NAMES.split(' ') as RequestName[];

describe('the table of requests', () => {
  it('has exactly the requests of the contract', () => {
    expect(Object.keys(requests)).toEqual(names);
  });

  it('knows own names only', () => {
    expect(names.every(isRequest)).toBe(true);
    expect(['toString', '__proto__', 'constructor', 'session.fork', 5, null].map(isRequest)).not.toContain(true);
  });

  it('makes the compiler ask for every handler', () => {
    expectTypeOf<keyof Handlers>().toEqualTypeOf<RequestName>();
    expectTypeOf<Omit<Handlers, 'doctor.run'>>().not.toExtend<Handlers>();
    expectTypeOf<
      Omit<Handlers, 'session.prompt'> & { 'session.prompt': () => Promise<object> }
    >().not.toExtend<Handlers>();
  });

  it.each(names)('%s takes its input and refuses a key that it does not know', (name) => {
    const { input } = requests[name];
    expect(input.safeParse(GOOD[name]).data).toEqual(GOOD[name]);
    expect(input.safeParse({ ...GOOD[name], extra: 1 }).success).toBe(false);
    expect(input.safeParse(JSON.parse('{"__proto__": {"polluted": true}}')).success).toBe(false);
    expect([null, [], 'x', 5].map((raw) => input.safeParse(raw).success)).not.toContain(true);
  });
});

describe('inputs', () => {
  const expectRefused = (name: RequestName, raw: unknown) =>
    expect(requests[name].input.safeParse(raw).success).toBe(false);

  it('are refused with an id that could be a path', () => {
    for (const sessionId of ['', '../x', 'a/b', 'a\0', 'x'.repeat(65)]) expectRefused('session.idle', { sessionId });
  });

  it('are refused with text that could not be logged as it is', () => {
    expectRefused('session.prompt', { sessionId: 's_1', text: 'half \ud83d' });
    expectRefused('session.prompt', { sessionId: 's_1', text: '' });
    expectRefused('session.create', { workspace: '/w\0/x' });
  });

  it('are refused with an optional field that is null or undefined instead of absent', () => {
    expectRefused('session.create', { workspace: '/w', preset: null });
    expectRefused('session.create', { workspace: '/w', preset: undefined });
  });

  it('are refused with a text that is named by anything but its digest', () => {
    const read = { sessionId: 's_1', blob: 'a'.repeat(64) };
    for (const blob of ['../session.jsonl', 'A'.repeat(64), 'a'.repeat(63)])
      expectRefused('text.read', { ...read, blob });
    for (const bytes of [0, -1, 256 * 1024 + 1, 1.5]) expectRefused('text.read', { ...read, bytes });
    expectRefused('text.read', { ...read, from: -1 });
  });

  it('are refused with a secret that nobody knows, and with an agreement that is none', () => {
    expectRefused('secret.set', { name: 'password', value: 's' });
    expectRefused('secret.set', { name: 'webhook', value: '' });
    expectRefused('secret.set', { name: 'webhook', value: 's', agreed: false });
  });

  it('are refused with settings nested so deep that they would exhaust the stack', () => {
    const changes: unknown = JSON.parse(`{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expectRefused('settings.set', { revision: 'r', changes });
    expectRefused('settings.set', { revision: 'r', changes: [1] });
  });
});

it('error codes are exactly those of the contract', () => {
  expect([...ERROR_CODES]).toEqual(CODES.split(' '));
});

it('pushes are exactly those of the contract that are built', () => {
  type Known = 'event' | 'session' | 'approval' | 'cleanup' | 'environment' | 'job' | 'output' | 'notice' | 'settings';
  type Expected = Known | 'note' | 'show';
  expectTypeOf<Push['push']>().toEqualTypeOf<Expected>();
});

it('the two channels of a window are fixed', () => {
  expect([REQUEST, PUSH]).toEqual(['gatehouse:request', 'gatehouse:push']);
});
