import { parseArgs } from 'node:util';
import { measureAppend } from './bench/append.ts';
import { measureControl } from './bench/control.ts';
import { measureColdStart, measureNestedCall, measureSoftStop, measureWarmCall } from './bench/environment.ts';
import type { Row } from './bench/measure.ts';
import { measureIdleMemory, measurePrewarmed } from './bench/prewarmed.ts';
import { measureKilledApp } from './bench/kill.ts';
import { measureOthers } from './bench/others.ts';
import { measureSandbox } from './bench/sandbox.ts';
import { measureSetter } from './bench/setter.ts';
import { measureWindow } from './bench/window.ts';

/**
 * `npm run bench [-- <part>…] [--minutes <number>]`: what the specification sets a target for, each as soon as it is
 * measured. A missed target is exit 1. `--minutes` says how long the window is watched while a command prints.
 */
const { positionals, values } = parseArgs({ allowPositionals: true, options: { minutes: { type: 'string' } } });

const PARTS: Readonly<Record<string, () => AsyncIterable<readonly Row[]> | Iterable<Promise<readonly Row[]>>>> = {
  sandbox: () => [measureSandbox(), measureKilledApp()],
  others: () => [measureOthers()],
  environment: measureEnvironment,
  setter: () => [measureSetter()],
  append: () => [measureAppend()],
  control: () => [measureControl()],
  window: () => measureWindow(Number(values.minutes ?? 3)),
};

let missed = 0;
console.log(
  `B is a plain \`node -e 0\`, started in between.\n\n| what | target | measured | of the target | |\n|---|---|---|---|---|`,
);
for (const part of partsOf(positionals)) {
  for await (const rows of part()) {
    for (const row of rows) {
      if (isMissed(row)) missed += 1;
      console.log(toLine(row));
    }
  }
}
console.log(missed === 0 ? '\nAll targets are met.' : `\n${missed} missed.`);
process.exitCode = missed === 0 ? 0 : 1;

function partsOf(names: readonly string[]) {
  if (names.length === 0) return Object.values(PARTS);
  return names.map((name) => {
    const part = PARTS[name];
    if (!part) throw new Error(`There is no part ${name}: ${Object.keys(PARTS).join(', ')}`);
    return part;
  });
}

async function* measureEnvironment(): AsyncGenerator<readonly Row[]> {
  yield [await measureColdStart()];
  yield [await measurePrewarmed()];
  yield [await measureWarmCall()];
  yield [await measureNestedCall()];
  yield [await measureSoftStop()];
  yield [await measureIdleMemory()];
}

function toLine(row: Row): string {
  const { name, unit, measured, target, missing, plainMs } = row;
  if (missing !== undefined) return `| ${name} | | ${missing} | | |`;
  const absolute = plainMs === undefined ? '' : ` (${number(measured * plainMs)} ms, B = ${number(plainMs)} ms)`;
  const limit = target === undefined ? '' : `≤ ${Number.isInteger(target) ? target : number(target)} ${unit}`;
  const cells = [name, limit, `${number(measured)} ${unit}${absolute}`];
  const verdict = target === undefined ? ['', ''] : [number(measured / target), isMissed(row) ? 'missed' : 'ok'];
  return `| ${[...cells, ...verdict].join(' | ')} |`;
}

function isMissed({ measured, target }: Row): boolean {
  return target !== undefined && !(measured <= target);
}

function number(value: number): string {
  return value < 1_000 ? value.toPrecision(3) : String(Math.round(value));
}
