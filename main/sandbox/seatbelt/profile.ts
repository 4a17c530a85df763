import { dirname } from 'node:path';
import { isWithin } from '../../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../../app/sandbox/policy.ts';
import type { Survey } from '../survey.ts';

export interface Seatbelt {
  readonly policy: SandboxPolicy;
  readonly survey: Survey;
  /** The folder that the Session has as its temp. */
  readonly temp: string;
}

export interface Profile {
  readonly profile: string;
  /** What the profile calls each path: no path is ever part of its text. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The rules of a confined launch: pure, from the policy and what was found of it. Of all rules that match the last one
 * decides, so what stands deeper is written later (sandbox.md, Backends).
 */
export function seatbeltProfile(order: Seatbelt): Profile {
  const names = new Names();
  const rules = [HEAD, ...files(order, names), ...networkRules(order, names)];
  return { profile: `${rules.join('\n')}\n`, parameters: names.parameters };
}

/** The whole command line; `program` is where `sandbox-exec` lies. */
export function seatbeltArguments(program: string, order: Seatbelt, argv: readonly string[]): readonly string[] {
  const { profile, parameters } = seatbeltProfile(order);
  const defined = Object.entries(parameters).map(([name, path]) => `-D${name}=${path}`);
  return [program, '-p', profile, ...defined, '--', ...argv];
}

/**
 * What every program needs to run at all. Of the services that could act for a process outside of its sandbox none is
 * there: the one that may be asked tells names of users.
 */
const HEAD = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read*)
(allow file-write-data (literal "/dev/null"))`;

interface Layer {
  readonly path: string;
  readonly rank: number;
  readonly rules: (name: string) => readonly string[];
}

function files({ policy, survey, temp }: Seatbelt, names: Names): readonly string[] {
  const writable = policy.mode === 'workspace-write';
  const all = (paths: readonly string[], rank: number, rules: Layer['rules']): Layer[] =>
    paths.map((path) => ({ path, rank, rules }));
  const hidden = survey.hidden.map(({ path }) => path);
  const layers = [
    ...all(survey.roots, 0, writable ? open : seen),
    ...all(writable ? survey.pinned : [], 1, pinned),
    ...all(writable ? survey.guarded : [], 2, guarded),
    ...all(survey.runtime, 3, (name) => [...seen(name), ...guarded(name)]),
    ...all(hidden, 4, (name) => [`(deny file-read* file-write* (subpath ${name}))`]),
    ...all([temp], 5, open),
  ].toSorted((a, b) => depth(a.path) - depth(b.path) || a.rank - b.rank || (a.path < b.path ? -1 : 1));
  return [
    ...layers.flatMap(({ path, rules }) => rules(names.of(path))),
    // A path below a hidden folder is looked up by way of the folders above it.
    ...ways([...survey.roots, ...survey.runtime, temp], hidden).map(
      (path) => `(allow file-read-metadata (literal ${names.of(path)}))`,
    ),
    '(deny file-write-setugid)',
  ];
}

const seen: Layer['rules'] = (name) => [`(allow file-read* (subpath ${name}))`];
const guarded: Layer['rules'] = (name) => [`(deny file-write* (subpath ${name}))`];
/** It may be written into, and neither renamed nor removed. */
const pinned: Layer['rules'] = (name) => [`(deny file-write-unlink (literal ${name}))`];
const open: Layer['rules'] = (name) => [`(allow file-read* file-write* (subpath ${name}))`, ...pinned(name)];

/**
 * There is no network namespace: a loopback of its own would be the host's, so without the setting there is none. Local
 * sockets can be had in the temp alone, where nobody else has any.
 */
function networkRules({ policy, temp }: Seatbelt, names: Names): readonly string[] {
  const { network, unixSockets } = policy.settings;
  return [
    ...(unixSockets === 'private' ? [`(allow network-bind network-outbound (subpath ${names.of(temp)}))`] : []),
    ...(network === 'host' ? [ONLINE] : []),
  ];
}

/** Connections by address, and what looks addresses and certificates up. */
const ONLINE = `(allow system-socket)
(allow network-outbound (remote ip))
(allow network-bind network-inbound (local ip))
(allow network-outbound (literal "/private/var/run/mDNSResponder"))
(allow mach-lookup (global-name "com.apple.trustd.agent") (global-name "com.apple.SystemConfiguration.configd"))`;

/** Folders above one of `paths` that are hidden, or lie in what is hidden. */
function ways(paths: readonly string[], hidden: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
      if (hidden.some((each) => isWithin(folder, each))) found.add(folder);
  return [...found].toSorted();
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

/** One name for each path. */
class Names {
  readonly #names = new Map<string, string>();

  of(path: string): string {
    const name = this.#names.get(path) ?? `PATH_${this.#names.size}`;
    this.#names.set(path, name);
    return `(param "${name}")`;
  }

  get parameters(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#names].map(([path, name]) => [name, path]));
  }
}
