import type { Cleanup, What } from '../../app/cleanup/cleanup.ts';
import type { EndPhase, Enforcement } from '../../app/sandbox/provider.ts';

export const cleanupEn = {
  drawer: 'Details of this Session',
  cleanup: 'Cleanup',
  environments: 'Environments',
  means:
    'What Gatehouse is ending, and how far it is. A row is released when the system has confirmed that nothing of it lives.',
  nothing: 'Nothing is being cleaned up.',
  pid: (pid: number, start: string | undefined) => `pid ${pid}${start === undefined ? '' : `, started ${start}`}`,
  startedUnder: (mode: string) => `started under ${mode}`,
  attempts: (n: number) => (n === 1 ? 'attempt 1' : `${n} attempts`),
  because: (why: string, seq: number) => `${why}: event ${seq}`,
  step: (n: number, of: number) => `Step ${n} of ${of}`,
  failedAt: (phase: string) => `failed: ${phase}`,
  what: {
    program: 'one-time program',
    environment: 'Environment',
    command: 'command',
    nested: 'nested call',
    job: 'job',
    hook: 'hook',
    agent: 'agent',
  } satisfies Record<What, string>,
  phases: {
    asked: 'cancel asked',
    terminating: 'TERM sent',
    killing: 'KILL sent',
    exited: 'exited',
    released: 'released',
  } satisfies Record<EndPhase, string>,
  causes: {
    mode: 'the Mode changed',
    settings: 'the settings changed',
    stop: 'stopped',
    escalation: 'the one-time call is over',
    reset: 'reset',
    idle: 'idle for too long',
    limit: 'a limit was reached',
    unload: 'unloaded',
    shutdown: 'Gatehouse closes',
  } satisfies Record<Cleanup['cause']['kind'], string>,
  environment: (id: string) => `Environment ${id}`,
  program: (id: string) => `One-time program ${id}`,
  noEnvironment: 'No Environment of this Session is running. The next program starts one.',
  idle: 'idle',
  busy: 'running',
  kept: 'keeps variables',
  once: 'one time',
  noVariables: 'no variables',
  reset: 'Reset',
  resetMeans: 'Ends the Environment. Its variables are gone.',
  enforcement: { full: 'confined', partial: 'partly confined', none: 'not confined' } satisfies Record<
    Enforcement,
    string
  >,
};
