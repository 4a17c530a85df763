import { measureAppend } from './bench/append.ts';
import { measureControl } from './bench/control.ts';
import { measureColdStart, measureNestedCall, measureSoftStop, measureWarmCall } from './bench/environment.ts';
import type { Row } from './bench/measure.ts';
import { measureSandbox } from './bench/sandbox.ts';
import { measureSetter } from './bench/setter.ts';

/** `npm run bench`: what the specification sets a target for, each as soon as it is measured. A missed target is exit 1. */
const measurements: readonly (() => Promise<readonly Row[]>)[] = [
  () => measureSandbox(),
  async () => [await measureColdStart()],
  async () => [await measureWarmCall()],
  async () => [await measureNestedCall()],
  async () => [await measureSoftStop()],
  () => measureSetter(),
  () => measureAppend(),
  () => measureControl(),
];

let missed = 0;
console.log(
  `B is a plain \`node -e 0\`, started in between.\n\n| what | target | measured | of the target | |\n|---|---|---|---|---|`,
);
for (const measure of measurements) {
  for (const row of await measure()) {
    if (isMissed(row)) missed += 1;
    console.log(toLine(row));
  }
}
console.log(missed === 0 ? '\nAll targets are met.' : `\n${missed} missed.`);
process.exitCode = missed === 0 ? 0 : 1;

function toLine(row: Row): string {
  const { name, unit, measured, target, plainMs } = row;
  const absolute = plainMs === undefined ? '' : ` (${number(measured * plainMs)} ms, B = ${number(plainMs)} ms)`;
  const cells = [name, target === undefined ? '' : `≤ ${target} ${unit}`, `${number(measured)} ${unit}${absolute}`];
  const verdict = target === undefined ? ['', ''] : [number(measured / target), isMissed(row) ? 'missed' : 'ok'];
  return `| ${[...cells, ...verdict].join(' | ')} |`;
}

function isMissed({ measured, target }: Row): boolean {
  return target !== undefined && !(measured <= target);
}

function number(value: number): string {
  return value.toPrecision(3);
}
