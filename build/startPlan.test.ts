import { expect, it } from 'vitest';
import { planStart, type ElectronBinary, type Machine, type StartPlan } from './startPlan.ts';

const present: ElectronBinary = { kind: 'present', path: '/electron' };
const absent: ElectronBinary = { kind: 'absent', why: 'its binary is not installed', remedy: 'Install it.' };
const misplaced: ElectronBinary = { kind: 'absent', why: 'there is none at /elsewhere' };

const machine = (electron: ElectronBinary, hasDisplay: boolean, isRoot: boolean): Machine => ({
  electron,
  hasDisplay,
  isRoot,
});
const browser = (why: string): StartPlan => ({ host: 'browser', reason: `Electron is not used, because ${why}` });

it.each<readonly [what: string, machine: Machine, plan: StartPlan]>([
  [
    'Electron where it is, with a display, for a person who is not root',
    machine(present, true, false),
    { host: 'electron', binary: '/electron', reason: 'Electron is installed, and there is a display.' },
  ],
  [
    'the browser host and how to get Electron when only its binary is missing',
    machine(absent, true, false),
    browser('its binary is not installed. Install it.'),
  ],
  [
    'the browser host when Electron is not where it is said to be, which no installation mends',
    machine(misplaced, true, false),
    browser('there is none at /elsewhere.'),
  ],
  ['the browser host without a display', machine(present, false, false), browser('there is no display.')],
  ['the browser host for root', machine(present, true, true), browser('as root it does not run in its sandbox.')],
  [
    'the browser host for root without a display',
    machine(present, false, true),
    browser('there is no display and as root it does not run in its sandbox.'),
  ],
  [
    'no installation where it would not help',
    machine(absent, false, false),
    browser('its binary is not installed and there is no display.'),
  ],
  [
    'all that is in the way',
    machine(absent, false, true),
    browser('its binary is not installed, there is no display and as root it does not run in its sandbox.'),
  ],
])('chooses %s', (_what, given, plan) => {
  expect(planStart(given)).toEqual(plan);
});
