import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFINED_MODES } from '../../app/sandbox/mode.fixture.ts';
import { placeOf } from '../../app/sandbox/place.ts';
import { verdict } from '../../app/sandbox/verdict.ts';
import { nameOf, settingsOf, VERDICTS, type Row, type Scene } from '../../app/sandbox/verdicts.fixture.ts';
import { seatbeltProfile } from './seatbelt/profile.ts';
import { decide } from './seatbelt/rules.fixture.ts';
import { surveyOf } from './survey.ts';
import { createWorld, makeRepository, run, type World } from './world.fixture.ts';

let world: World;
let scene: Scene;
beforeAll(() => {
  world = createWorld();
  const { base, workspace, outside } = world;
  scene = { workspace, outside, extra: join(base, 'extra'), hidden: join(base, 'hidden'), temp: '/tmp' };
  makeRepository(workspace);
  const { hidden, extra } = scene;
  for (const path of [workspace, outside, hidden, join(workspace, 'secrets'), join(hidden, 'open')]) put(path);
  for (const folder of [extra, `${workspace}-evil`, join(workspace, '.vscode'), join(workspace, 'sub/.vscode')])
    mkdirSync(folder, { recursive: true });
});
afterAll(() => world.remove());

function put(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'file'), 'before');
}

const rows = VERDICTS.map((row) => ({ name: nameOf(row), row }));

describe.each(CONFINED_MODES)('under %s', (mode) => {
  const policy = () => world.policy(mode, settingsOf(scene));

  it.each(rows)('the verdict is the one of the table: $name', ({ row }) => {
    const judged = verdict(placeOf(row.path(scene), policy()), row.operation, policy());
    expect(judged.kind).toBe(row.verdicts[mode]);
  });

  describe('in bubblewrap', () => {
    let seen: readonly string[];
    beforeAll(async () => {
      const asked = VERDICTS.map(({ path, operation, what }) => ({ path: path(scene), operation, what }));
      const argv = [process.execPath, '-e', TRY, JSON.stringify(asked)] as const;
      // The program prints a list of words and nothing else.
      seen = JSON.parse((await run(world, { policy: policy(), argv })).output) as readonly string[];
    });

    it.each(rows)('a process sees the same: $name', ({ row }) => {
      expect(seen[VERDICTS.indexOf(row)]).toBe(row.verdicts[mode]);
    });
  });

  it.each(rows)('the rules for macOS say the same: $name', ({ row }) => {
    const temp = join(world.home, 'temp/s1');
    const hidden = settingsOf(scene).hide.concat(world.home);
    const survey = surveyOf(world.policy(mode, { ...settingsOf(scene), hide: hidden }), [process.execPath]);
    const profile = seatbeltProfile({ policy: policy(), survey, temp });
    const asks = asksOf(row, row.path({ ...scene, temp }));
    expect(asks.map((ask) => decide(profile, ask))).toEqual(asks.map(() => row.verdicts[mode]));
  });
});

/** What the system is asked on the way of such an operation; for a denial the first of them has to fail. */
function asksOf({ operation, what, verdicts }: Row, path: string) {
  if (operation === 'read') return [{ operation: 'file-read-data', of: path }];
  if (what === 'new') return [{ operation: 'file-write-create', of: path }];
  if (what === 'file') return [{ operation: 'file-write-data', of: path }];
  const target = { operation: 'file-write-create', of: join(dirname(path), 'renamed') };
  const source = { operation: 'file-write-unlink', of: path };
  return verdicts['workspace-write'] === 'allow' ? [source, target] : [source];
}

/** Tries each and takes it back; every way of being kept from it is a denial. */
const TRY = `
const fs = require('fs');
const tries = {
  read: (path) => fs.readFileSync(path),
  file: (path) => fs.closeSync(fs.openSync(path, 'r+')),
  new: (path) => { fs.closeSync(fs.openSync(path, 'wx')); fs.unlinkSync(path); },
  folder: (path) => { fs.renameSync(path, path + '-renamed'); fs.renameSync(path + '-renamed', path); },
};
const refusals = ['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'EBUSY'];
console.log(JSON.stringify(JSON.parse(process.argv[1]).map(({ path, operation, what }) => {
  try { (operation === 'read' ? tries.read : tries[what])(path); return 'allow'; }
  catch (fault) { return refusals.includes(fault.code) ? 'deny' : fault.code; }
})));`;
