import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ControlClient } from './controlClient.fixture.ts';
import { goneWithin, processesOf } from './core.fixture.ts';
import { signalTo } from './process/identity.ts';
import { until } from './process/until.ts';

let folder: string;
let control: ControlClient;
beforeEach(async () => {
  folder = await mkdtemp('/var/tmp/gatehouse-jobs-');
  await mkdir(join(folder, 'repo'));
  control = new ControlClient(join(folder, 'home'));
});
afterEach(async () => {
  control.destroy();
  for (const left of processesOf(folder)) signalTo(left, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

it.each(['workspace-write', 'danger-full-access'])(
  'a job under %s does not outlive the main process that was killed, and the next one records that',
  async (preset) => {
    const script = join(folder, 'script.json');
    const calls = ['a', 'b'].map((id) => ({
      id,
      tool: 'job_start',
      input: { title: id, command: `setsid sleep 952 & touch ${id}; sleep 952` },
    }));
    await writeFile(script, JSON.stringify({ answers: [{ calls }, { text: 'Done.' }] }));
    const workspace = join(folder, 'repo');
    const { sessionId } = await control.request('session.create', { workspace, preset, agent: `script:${script}` });
    await control.request('session.prompt', { sessionId, text: 'Go' });
    await control.request('session.idle', { sessionId });
    const { jobs } = await control.request('job.list', { sessionId });
    expect(jobs).toMatchObject([{ state: 'running' }, { state: 'running' }]);
    expect(await until(() => existsSync(join(workspace, 'a')) && existsSync(join(workspace, 'b')), 10_000)).toBe(true);
    await control.kill();
    expect(await goneWithin(folder, 5_000)).toEqual([]);
    control = new ControlClient(join(folder, 'home'));
    await control.request('session.open', { sessionId });
    const { events } = await control.request('session.events', { sessionId, from: 0, to: 1000 });
    expect(events.flatMap(({ type, data }) => (type === 'job/ended' ? [data] : []))).toEqual(
      jobs.map(({ jobId }) => ({ jobId, outcome: 'restarted', exitCode: null, signal: null })),
    );
    expect(await control.request('job.list', { sessionId })).toEqual({ jobs: [] });
    expect(await control.request('session.verify', { sessionId })).toMatchObject({ ok: true });
    expect(await control.end()).toBe(0);
  },
  60_000,
);
