import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { workspaceArgument, workspaceOf } from './startArguments.ts';

it.each([
  [['/opt/gatehouse', 'repo'], undefined, '/home/u/repo'],
  [['/opt/gatehouse', '--flag=x', '/w'], undefined, '/w'],
  [['/opt/gatehouse'], undefined, undefined],
  [['/opt/gatehouse', ''], undefined, undefined],
  [['/opt/gatehouse', 'gatehouse://open/x'], undefined, undefined],
  [['/dist/electron', '/app', 'repo'], '/app', '/home/u/repo'],
  [['/dist/electron', '-r', '/loader.js', '--inspect=0', '/app'], '/app', undefined],
  [['/dist/electron', '-r', '/loader.js', '/app', '/w'], '/app', '/w'],
  [['/dist/electron', '/app/main.cjs', '/w'], '/app', '/w'],
  [['/dist/electron'], '/app', undefined],
])('%j of the app %s names the folder %s', (argv, app, workspace) => {
  expect(workspaceArgument({ argv, cwd: '/home/u', app })).toBe(workspace);
});

it('9-d: what a second start tells is taken only when it is a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-second-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'file'), '');
  expect(await workspaceOf({ workspace: folder })).toBe(folder);
  const told = [
    undefined,
    null,
    'x',
    {},
    { workspace: 5 },
    { workspace: join(folder, 'file') },
    { workspace: '/none' },
  ];
  expect(await Promise.all(told.map(workspaceOf))).toEqual(told.map(() => undefined));
});
