import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionEvent } from '../app/session/events.ts';
import type { Result } from '../app/tool/result.ts';
import { command, createWorld, escalate, file, program, type TestSession, type World } from './core.fixture.ts';
import { StoredLog, type Place } from './storedLog.fixture.ts';

let world: World;
let id: TestSession['id'];
let log: StoredLog;
let results: readonly Result[];

const wide = escalate('danger-full-access');
const CALLS = [
  program('keep', 'let v = 1; v'),
  command('bash', 'echo x > ../out.txt', wide),
  program('fresh', "require('node:fs').appendFileSync('../out.txt', 'y'); typeof v", wide),
  file('write', 'write', { path: '../made.txt', content: 'one', ...wide }),
  file('edit', 'edit', { path: '../made.txt', old: 'one', new: 'two', ...wide }),
  program(
    'outer',
    `await tools.bash({ command: '${'#'.repeat(70_000)}\\necho z', escalate: ${JSON.stringify(wide['escalate'])} })`,
  ),
  command('denied', 'echo no > ../no.txt', wide),
  program('again', 'v += 1'),
];
const ASKED = ['bash', 'fresh', 'write', 'edit', 'outer:1', 'denied'];

beforeAll(async () => {
  world = await createWorld();
  const session = await world.turns([CALLS]);
  id = session.id;
  const running = session.turn();
  for (const callId of ASKED) await session.decide(callId, callId === 'denied' ? 'deny' : 'allow-once');
  results = await running;
  await session.expectVerified();
  await world.close({ keep: true });
  world = await createWorld({ folder: world.folder });
  log = await StoredLog.read(join(world.home, 'sessions', id, 'session.jsonl'));
}, 60_000);
afterAll(() => world.close());

it('each call that was allowed leaves exactly one receipt, of what ran and beside what; no other call leaves one', async () => {
  const [fresh, bash] = ['fresh', 'bash'].map((callId) => results.find((result) => result.callId === callId));
  expect(results.filter(({ receipt }) => receipt).map(({ callId }) => callId)).toEqual([
    'bash',
    'fresh',
    'write',
    'edit',
  ]);
  expect(fresh?.value).toBe('undefined');
  expect(results.at(-1)?.value).toBe(2);
  for (const result of [fresh, bash])
    expect(result?.receipt).toMatchObject({
      mode: 'danger-full-access',
      releasedBeforeReturn: true,
      standing: 'unchanged',
    });
  const nested = log.events.flatMap(({ type, data }) => (type === 'tool/nested-result' ? [data] : []));
  expect(nested).toMatchObject([{ callId: 'outer:1', status: 'ok', receipt: { mode: 'danger-full-access' } }]);
});

const verified = () => world.request('session.verify', { sessionId: id });

describe('a log whose chain of hashes is right, and whose meaning was forged,', () => {
  it('is believed as it was, so that what is found below is the forger’s', async () => {
    await log.store(log.events);
    expect(await verified()).toMatchObject({ ok: true, problems: [] });
    await writeFile(log.path, log.text.replace('echo x >', 'echo X >'));
    expect((await verified()).problems[0]).toMatchObject({ rule: 'chain' });
  });

  it.each<readonly [string, string, Place, () => readonly SessionEvent[]]>([
    [
      'the command that was asked about',
      'approval',
      ['approval/asked', 'bash'],
      () => log.replaced(['tool/call', 'bash'], /echo x >/, 'echo X >'),
    ],
    [
      'an argument that the question does not show',
      'approval',
      ['approval/asked', 'bash'],
      () => log.replaced(['tool/call', 'bash'], /because/, 'because!'),
    ],
    [
      'the end of a command too long for the log',
      'approval',
      ['approval/asked', 'outer:1'],
      () => log.replaced(['tool/nested-start', 'outer:1'], /"blob":"./, '"blob":"g'),
    ],
    [
      'the content that was asked about',
      'approval',
      ['approval/asked', 'write'],
      () => log.replaced(['tool/call', 'write'], /"one"/, '"other"'),
    ],
    [
      'the folder of a program',
      'approval',
      ['approval/asked', 'fresh'],
      () => log.replaced(['approval/asked', 'fresh'], /"cwd":"/, '"cwd":"/x'),
    ],
    [
      'the digest itself',
      'approval',
      ['approval/asked', 'edit'],
      () => log.replaced(['approval/asked', 'edit'], /"subjectDigest":"./, '"subjectDigest":"g'),
    ],
    [
      'a rejection into a permission that nobody used',
      'approval',
      ['approval/decided', 'denied'],
      () => log.replaced(['approval/decided', 'denied'], /"id":"[^"]+"/, '"id":"nobody"'),
    ],
    [
      'a permission into a rejection',
      'escalation',
      ['tool/started', 'bash'],
      () => log.replaced(['approval/decided', 'bash'], /allowed-once/, 'rejected'),
    ],
    [
      'a start after its answer into one before it',
      'escalation',
      ['approval/decided', 'bash'],
      () => log.swapped(['approval/decided', 'bash'], ['tool/started', 'bash']),
    ],
    [
      'the approval of a start away',
      'escalation',
      ['tool/started', 'bash'],
      () => log.replaced(['tool/started', 'bash'], /,"approvalId":"[^"]+"/, ''),
    ],
    [
      'a second use of one approval',
      'escalation',
      ['tool/started', 'write'],
      () => log.replaced(['tool/started', 'write'], /"approvalId":"[^"]+"/, `"approvalId":"${log.approvalOf('bash')}"`),
    ],
    [
      'the mode of an ordinary start',
      'mode',
      ['tool/started', 'outer'],
      () => log.replaced(['tool/started', 'outer'], /"mode":"workspace-write"/, '"mode":"read-only"'),
    ],
    [
      'an ordinary start into a wider one',
      'mode',
      ['tool/started', 'keep'],
      () => log.replaced(['tool/started', 'keep'], /"mode":"workspace-write"/, '"mode":"danger-full-access"'),
    ],
    [
      'an allowed start into a narrower one',
      'escalation',
      ['tool/started', 'bash'],
      () => log.replaced(['tool/started', 'bash'], /danger-full-access/, 'workspace-write'),
    ],
    [
      'a receipt away',
      'receipt',
      ['tool/result', 'bash'],
      () => log.replaced(['tool/result', 'bash'], /,"receipt":\{[^}]*\}/, ''),
    ],
    [
      'the mode of a receipt',
      'receipt',
      ['tool/result', 'write'],
      () => log.replaced(['tool/result', 'write'], /"mode":"danger-full-access"/, '"mode":"workspace-write"'),
    ],
    [
      'the approval of a receipt',
      'receipt',
      ['tool/result', 'edit'],
      () => log.replaced(['tool/result', 'edit'], /"approvalId":"[^"]+"/, `"approvalId":"${log.approvalOf('bash')}"`),
    ],
    [
      'the file of a receipt',
      'receipt',
      ['tool/result', 'write'],
      () => log.replaced(['tool/result', 'write'], /("receipt":\{.*?"path":")/, '$1/x'),
    ],
    [
      'the process of a receipt',
      'receipt',
      ['tool/result', 'fresh'],
      () => log.replaced(['tool/result', 'fresh'], /("receipt":\{.*?"pid":)/, '$11'),
    ],
    [
      'the environment of a receipt',
      'receipt',
      ['tool/result', 'fresh'],
      () =>
        log.replaced(
          ['tool/result', 'fresh'],
          /("receipt":\{.*?"environmentId":")[^"]+/,
          `$1${log.environmentOf('keep')}`,
        ),
    ],
    [
      'an end before the return into one after it',
      'receipt',
      ['environment/ended', 'fresh'],
      () => log.swapped(['environment/ended', 'fresh'], ['tool/result', 'fresh']),
    ],
    [
      'a process of before the question',
      'receipt',
      ['tool/result', 'fresh'],
      () => log.swapped(['approval/asked', 'fresh'], ['environment/started', 'fresh']),
    ],
    [
      'a fresh process into the standing one',
      'escalation',
      ['tool/started', 'fresh'],
      () => log.replaced(['environment/started', 'fresh'], /"retained":false/, '"retained":true'),
    ],
    [
      'the standing process away',
      'receipt',
      ['tool/result', 'bash'],
      () => log.replaced(['environment/started', 'keep'], /"retained":true/, '"retained":false'),
    ],
    [
      'a start away',
      'started',
      ['tool/started', 'write'],
      () => log.replaced(['tool/started', 'write'], /"callId":"write"/, '"callId":"nobody"'),
    ],
  ])('is found out when somebody forged %s', async (_what, rule, noticed, forged) => {
    await log.store(forged());
    const { ok, problems } = await verified();
    expect(ok).toBe(false);
    expect(problems.find((problem) => problem.rule === rule)).toMatchObject({ seq: log.seqOf(noticed) });
    expect(problems.filter((problem) => problem.rule === 'chain')).toEqual([]);
  });
});
