import { createIds, type SessionId } from '../../app/base/id.ts';
import { tailOf, utf8Bytes } from '../../app/base/text.ts';
import type { CleanupEvent } from '../../app/cleanup/cleanup.ts';
import { Cleanups } from '../../app/cleanup/cleanups.ts';
import { Started } from '../../app/cleanup/started.ts';
import { MemoryJournal } from '../../app/log/journal.fixture.ts';
import type { PolicyEvent } from '../../app/policy/events.ts';
import { NO_POLICY } from '../../app/policy/fold.ts';
import type { EnvironmentEvent } from '../../app/ptc/events.ts';
import type { Completion, Environment } from '../../app/ptc/nodeProvider.ts';
import type { ToolEvent } from '../../app/tool/events.ts';
import { ConfinedCommands } from '../commands/commands.ts';
import { NodeEnvironments } from '../ptc/nodeProvider.ts';
import type { SessionNodeEnvironments } from '../ptc/sessionEnvironments.ts';
import type { CONFINED, Try } from './escapeTries.fixture.ts';
import type { Jail, Sentence } from './prison.fixture.ts';
import { never, session } from './world.fixture.ts';

/** What an agent has to run things with, in one Mode of a jail. */
export class Agent {
  readonly #jail: Jail;
  readonly #mode: (typeof CONFINED)[number];
  readonly #session: SessionId = session('agent');
  readonly #commands: ConfinedCommands;
  readonly #nodes: NodeEnvironments;
  readonly #environments: SessionNodeEnvironments;

  constructor(jail: Jail, mode: (typeof CONFINED)[number]) {
    this.#jail = jail;
    this.#mode = mode;
    this.#commands = new ConfinedCommands({ confiner: jail.provider, keep, path: process.env['PATH'] ?? '' });
    this.#nodes = environmentsIn(jail);
    const journal = new MemoryJournal<PolicyEvent | EnvironmentEvent | CleanupEvent | ToolEvent>();
    this.#environments = this.#nodes.attach({ id: this.#session, journal, policyState: () => NO_POLICY });
  }

  /** As the tool `bash` does it. */
  bash({ text, unixSockets }: Try): Promise<Sentence> {
    return this.#jail.watch(async () => {
      const { prison } = this.#jail;
      const request = { run: { shell: text(prison) }, cwd: prison.workspace, timeoutMs: 60_000 };
      const at = { sessionId: this.#session, policy: this.#jail.policy(this.#mode, unixSockets) };
      const command = await this.#commands.start(request, at, never);
      if (command.kind !== 'running') throw new Error(command.message);
      const { facts, closeError } = await command.done;
      const broken = [...(closeError === undefined ? [] : [closeError]), ...(facts.timedOut ? ['timed out'] : [])];
      return { exitCode: facts.exitCode, output: facts.output.text, broken };
    });
  }

  /** As the tool `run_code` does it: in the retained Environment, which lives on unless the row spoils it. */
  program({ escape, language, text, unixSockets }: Try): Promise<Sentence> {
    return this.#jail.watch(async () => {
      const environment = await this.#acquire(unixSockets);
      const source = text(this.#jail.prison);
      const program = await this.#nodes.prepare(language === 'sh' ? asProgram(source) : source, never);
      if (program.kind === 'syntax') throw new Error(`${program.message} in ${source}`);
      const completion = await environment.run(program, BRIDGE, never);
      const released = escape.spoils ? await environment.release() : undefined;
      const sentence = sentenceOf(completion);
      // What ended by itself has shown nothing, unless that was the point.
      const lost = completion.kind === 'lost' && !escape.spoils ? ['lost'] : [];
      return { ...sentence, broken: [...lost, ...(released?.error === undefined ? [] : [released.error])] };
    });
  }

  /** Ends all that the programs ran in; what they left behind is seen then. */
  end(): Promise<Sentence> {
    return this.#jail.watch(async () => {
      await this.#nodes.close();
      return { exitCode: 0, output: '', broken: [] };
    });
  }

  async #acquire(unixSockets: 'block' | 'private'): Promise<Environment> {
    const policy = this.#jail.policy(this.#mode, unixSockets);
    const environment = await this.#environments.acquire({ policy, standing: this.#mode, owner: unixSockets }, never);
    if (environment.kind !== 'environment') throw new Error(JSON.stringify(environment));
    return environment;
  }
}

function environmentsIn(jail: Jail): NodeEnvironments {
  let count = 0;
  const ids = createIds(() => `${process.pid}-${(count += 1)}`);
  const started = new Started();
  return new NodeEnvironments({
    provider: jail.provider,
    cleanups: new Cleanups({ newId: ids.cleanup, now: Date.now, started, onFault: rethrow }),
    started,
    newId: ids.environment,
    onFault: rethrow,
    budgets: () => ({ wallMs: 60_000 }),
  });
}

/** Does not wait for who keeps the pipes of a shell that is over. */
function asProgram(script: string): string {
  return `await new Promise((done, fail) => {
    const shell = require('child_process').spawn('bash', ['-c', ${JSON.stringify(script)}], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => console.log(String(chunk)));
    const over = (code) => (code === 0 ? done() : fail(new Error('exit code ' + code)));
    shell.on('error', fail);
    shell.on('close', over);
    shell.on('exit', (code) => setTimeout(over, 300, code));
  })`;
}

function sentenceOf(completion: Completion): Omit<Sentence, 'broken'> {
  const { kind, logs, late } = completion;
  const said = kind === 'exception' ? completion.stack : kind === 'lost' ? `lost: ${completion.reason}` : '';
  const isFine = kind === 'value' || kind === 'inspected';
  const output = [logs.text, said, ...late].join('\n');
  return { exitCode: isFine ? 0 : 1, output };
}

const BRIDGE = {
  tools: [],
  call: () => Promise.reject(new Error('There are no tools here')),
  log: () => undefined,
  display: () => undefined,
};

async function keep(_: SessionId, text: string) {
  return { text: tailOf(text), bytes: utf8Bytes(text), dropped: 0 };
}

function rethrow(fault: unknown): never {
  throw fault;
}
