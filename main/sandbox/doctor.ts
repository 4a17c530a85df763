import type { ProbeReport } from '../../app/sandbox/provider.ts';
import { loadLocks, ripgrepPath } from '../native.ts';
import type { Confiner } from './confined.ts';
import { installCommand } from './installCommand.ts';
import { findProgram } from './programs.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  /** One sentence that tells a person what to do. */
  readonly remedy?: string;
}

const NODE = 24;

/** What this machine can and cannot do, found by trying it now. */
export async function doctor(
  { probe, path }: { readonly probe: Confiner['probe']; readonly path: string },
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const [report, bwrap, git, install] = await Promise.all([
    probe(signal),
    findProgram('bwrap', path),
    findProgram('git', path),
    installCommand(path, process.getuid?.()),
  ]);
  const remedy = install === undefined ? 'Install the package bubblewrap.' : `Run: ${install}`;
  const isBubblewrap = report.provider === 'bubblewrap';
  return [
    enforcement(report),
    ...(isBubblewrap ? [found('bubblewrap', bwrap, remedy)] : []),
    namespaces(report),
    ...(isBubblewrap ? [compartment(report, bwrap !== undefined)] : []),
    node(),
    found('git', git, 'Install the package git.'),
    loads('file locks', () => void loadLocks()),
    loads('ripgrep', () => void ripgrepPath()),
  ];
}

/** Which Provider this system has, and how far what it promises holds. */
function enforcement({ provider, enforcement: found, message }: ProbeReport): Check {
  const far = { full: 'fully', partial: `partly: ${message}`, none: 'not at all' }[found];
  return { name: 'enforcement', ok: found !== 'none', message: `${provider}, ${far}` };
}

function namespaces({ enforcement, message, remedy }: ProbeReport): Check {
  const ok = enforcement !== 'none';
  return { name: 'namespaces', ok, message, ...(remedy !== undefined && { remedy }) };
}

function compartment({ enforcement }: ProbeReport, hasBubblewrap: boolean): Check {
  if (enforcement === 'full')
    return { name: 'shared temp', ok: true, message: 'All commands of a Session share one private temp' };
  if (!hasBubblewrap) return { name: 'shared temp', ok: false, message: 'It needs bubblewrap' };
  const message = 'Each command has a private temp and a loopback of its own';
  return {
    name: 'shared temp',
    ok: false,
    message,
    remedy: 'Install nsenter (package util-linux) and allow it to enter user namespaces.',
  };
}

function node(): Check {
  const { node: version } = process.versions;
  const ok = Number(version.split('.')[0]) >= NODE;
  return {
    name: 'node',
    ok,
    message: `Node ${version}`,
    ...(!ok && { remedy: `Run Gatehouse with Node ${NODE} or newer.` }),
  };
}

function found(name: string, path: string | undefined, remedy: string): Check {
  return path === undefined
    ? { name, ok: false, message: 'It is not on PATH', remedy }
    : { name, ok: true, message: path };
}

function loads(name: string, load: () => void): Check {
  try {
    load();
    return { name, ok: true, message: 'It loads' };
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault);
    return { name, ok: false, message, remedy: 'Install Gatehouse again: a part of it is missing.' };
  }
}
