// One Session through the control door: a variable is kept, a write is denied, then allowed once, and the policy is switched
// under a running program. `node docs/examples/switch-policy.mjs <empty folder>` says what it saw; anything else throws.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startControl } from './client.mjs';
import { settled } from './processes.mjs';

const [folder, agent] = [resolve(process.argv[2] ?? ''), `script:${import.meta.dirname}/switch-policy.json`];
if (!process.argv[2] || (existsSync(folder) && readdirSync(folder).length > 0)) throw new Error('Name an empty folder');
const [workspace, home] = [join(folder, 'repo'), join(folder, 'home')];
execFileSync('git', ['init', '--quiet', workspace]);
const gatehouse = startControl(home);
const { sessionId } = await gatehouse.request('session.create', { workspace, agent, preset: 'workspace-write' });
const result = async (callId) =>
  (await gatehouse.push('event', ({ event }) => event.type === 'tool/result' && event.data.callId === callId)).event
    .data;

await gatehouse.request('session.prompt', { sessionId, text: 'Begin' });
assert.deepEqual([(await result('set')).value, (await result('add')).value], [41, 42]);
assert.match((await result('denied')).content, /EROFS/);
const { approval } = await gatehouse.push('approval', ({ change }) => change === 'asked');
assert.equal(existsSync(join(folder, 'outside.txt')), false);
await gatehouse.request('approval.decide', { approvalId: approval.approvalId, decision: 'allow-once' });
const once = await result('once');
assert.deepEqual([once.value, existsSync(join(folder, 'outside.txt'))], ['undefined', true]);
await gatehouse.request('session.idle', { sessionId });
const main = JSON.parse(readFileSync(join(home, 'instances', readdirSync(join(home, 'instances'))[0]), 'utf8')).pid;
const before = await settled(main);

await gatehouse.request('session.prompt', { sessionId, text: 'Go on' });
await gatehouse.push('event', ({ event }) => event.type === 'tool/started' && event.data.callId === 'append');
const [grow, size] = [join(workspace, 'grow.txt'), () => statSync(grow, { throwIfNoEntry: false })?.size ?? 0];
while (size() < 10) await new Promise((again) => setImmediate(again));
const { stopping } = await gatehouse.request('preset.set', { sessionId, preset: 'read-only' });
await gatehouse.push('cleanup', ({ cleanup }) => cleanup.id === stopping[0].id && cleanup.phase === 'released');
const released = size();
assert.deepEqual((await result('after')).value, ['undefined', 'EROFS']);
assert.deepEqual([(await result('append')).code, size()], ['mode-changed', released]);
await gatehouse.request('session.idle', { sessionId });
assert.deepEqual(await settled(main), before);
assert.equal((await gatehouse.request('session.verify', { sessionId })).ok, true);
assert.equal(await gatehouse.close(), 0);
console.log(
  `The switch stopped ${stopping[0].title} (pid ${stopping[0].pid}) at ${released} bytes; everything as promised.`,
);
