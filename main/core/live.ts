import { Barriers } from '../../app/agent/barriers.ts';
import { Turns } from '../../app/agent/turn.ts';
import type { Approvals } from '../../app/approval/approvals.ts';
import type { Ancestor } from '../../app/approval/question.ts';
import type { CallId, Ids, SessionId } from '../../app/base/id.ts';
import type { Cleanups } from '../../app/cleanup/cleanups.ts';
import type { Started } from '../../app/cleanup/started.ts';
import { Jobs } from '../../app/job/jobs.ts';
import type { JobOutputs } from '../../app/job/output.ts';
import type { JobRow } from '../../app/job/row.ts';
import { jobKillTool } from '../../app/job/tools/jobKill.ts';
import { jobListTool } from '../../app/job/tools/jobList.ts';
import { jobOutputTool } from '../../app/job/tools/jobOutput.ts';
import { jobStartTool } from '../../app/job/tools/jobStart.ts';
import { grantingOwner } from '../../app/lease/granting.ts';
import { contextDue } from '../../app/policy/context.ts';
import { deniedLine, modeLine } from '../../app/policy/denied.ts';
import { effective } from '../../app/policy/fold.ts';
import { declarationsOf } from '../../app/ptc/declarations.ts';
import type { NodeProvider, SessionEnvironments } from '../../app/ptc/nodeProvider.ts';
import { runCodeTool } from '../../app/ptc/runCode.ts';
import type { LaunchSettings, SandboxPolicy } from '../../app/sandbox/policy.ts';
import { socketLine } from '../../app/sandbox/socketHint.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import type { Message } from '../../app/session/history.ts';
import type { Session } from '../../app/session/session.ts';
import { createCatalogue, type Catalogue } from '../../app/tool/catalogue.ts';
import { Dispatch } from '../../app/tool/dispatch.ts';
import type { DispatchSession } from '../../app/tool/dispatchSession.ts';
import type { Commands, Confinement, Files } from '../../app/tool/ports.ts';
import type { OutputStream, Tool } from '../../app/tool/tool.ts';
import { bashTool } from '../../app/tool/tools/bash.ts';
import { editTool } from '../../app/tool/tools/edit.ts';
import { globTool } from '../../app/tool/tools/glob.ts';
import { grepTool } from '../../app/tool/tools/grep.ts';
import { readTool } from '../../app/tool/tools/read.ts';
import { Snapshots } from '../../app/tool/tools/snapshots.ts';
import { writeTool } from '../../app/tool/tools/write.ts';
import { denialHints } from '../commands/denials.ts';
import { unifiedDiff } from '../files/diff.ts';
import { linkedGitOf } from '../sandbox/worktree.ts';
import { driverOf } from './agents.ts';
import { liveHooks, type LiveHooksParts } from './liveHooks.ts';
import { tellProtected } from './protectedEntries.ts';
import { workspaceRoot } from './workspace.ts';

/** What all live Sessions of this process share. */
export interface Shared extends Pick<LiveHooksParts['shared'], 'settings' | 'notice' | 'messageText'> {
  readonly ids: Pick<Ids, 'job'>;
  readonly approvals: Approvals;
  readonly cleanups: Cleanups;
  readonly started: Started;
  readonly programs: NodeProvider;
  readonly files: Files;
  readonly commands: Commands;
  readonly rgPath: string;
  readonly jobOutputs: JobOutputs;
  readonly jobChanged: (row: JobRow) => void;
  /** Why what the settings protect is not known, so that nothing may run; undefined when it is. */
  readonly settingsFault: () => Unavailable | undefined;
  readonly launchSettings: (workspace: string) => LaunchSettings;
  /** Why nothing can be confined now; asked before a person is. */
  readonly confinementFault: (sessionId: SessionId) => Promise<Unavailable | undefined>;
  readonly lineage: (session: Session) => readonly Ancestor[];
  readonly history: (session: Session, through: number) => Promise<readonly Message[]>;
  readonly output: (sessionId: SessionId, callId: CallId, stream: OutputStream, text: string) => void;
  readonly onFault: (fault: unknown) => void;
}

/** A Session at work: its turns, its tools, its Environments, its jobs. */
export class LiveSession {
  readonly session: Session;
  readonly environments: SessionEnvironments;
  readonly jobs: Jobs;
  readonly barriers = new Barriers();
  readonly turns: Turns;
  readonly #untell: () => void;
  readonly #shared: Shared;
  readonly #catalogue: Catalogue;
  readonly #dispatch: Dispatch;
  readonly #hooks: ReturnType<typeof liveHooks>;
  #declarations: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(session: Session, shared: Shared) {
    this.session = session;
    this.#shared = shared;
    this.environments = shared.programs.attach(session);
    this.jobs = this.#jobs();
    this.#untell = tellProtected(session, shared.launchSettings);
    this.#hooks = liveHooks({ session, shared, resolvePolicy: (mode) => this.#resolvePolicy(mode) });
    this.#catalogue = createCatalogue(this.#tools());
    const { approvals, cleanups, started, onFault } = shared;
    this.#dispatch = new Dispatch({
      session: this.#subject(),
      catalogue: this.#catalogue,
      hooks: this.#hooks.calls,
      approvals,
      cleanups,
      started,
      onFault,
      output: (callId, stream, text) => shared.output(session.id, callId, stream, text),
    });
    this.turns = this.#turns();
  }

  /** What a program may call here, as TypeScript. */
  get declarations(): string {
    this.#declarations ??= declarationsOf(this.#catalogue);
    return this.#declarations;
  }

  /** Ends the open turn, then everything that it left; the Session itself is closed by whoever opened it. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.turns.close();
    this.#dispatch.close();
    this.#hooks.calls.close();
    await Promise.all([this.jobs.close(), this.environments.close()]);
    this.#untell();
  }

  #jobs(): Jobs {
    const { session } = this;
    const { commands, jobOutputs, cleanups, started, ids, jobChanged, onFault } = this.#shared;
    return new Jobs({
      session,
      commands,
      outputs: jobOutputs,
      cleanups,
      started,
      newId: ids.job,
      changed: jobChanged,
      output: (callId, stream, text) => this.#shared.output(session.id, callId, stream, text),
      onFault,
    });
  }

  #turns(): Turns {
    const { session } = this;
    const { onFault } = this.#shared;
    const { folded, callIds, id, header } = session;
    const driver = driverOf(header.agent, { id, workspace: header.workspace, answered: folded.answers }, this.barriers);
    return new Turns({
      session: {
        journal: session,
        storable: (value) => session.storable(value),
        history: (through) => this.#shared.history(session, through),
        contextDue: () => contextDue(session.folded.context, effective(session.policyState())),
        get length() {
          return session.length;
        },
      },
      driver,
      lease: grantingOwner,
      effectOf: (tool) => this.#effectOf(tool),
      dispatch: (call, lease, signal) => this.#dispatch.call({ ...call, lease }, signal),
      onFault,
      hooks: this.#hooks.turns,
      resumed: {
        turns: folded.turns,
        ...(folded.lastEnd && { lastEnd: folded.lastEnd }),
        callIds,
        queued: folded.unseen,
      },
    });
  }

  #subject(): DispatchSession {
    const { session } = this;
    return {
      id: session.id,
      journal: session,
      seen: new Map(),
      policyState: () => session.policyState(),
      lineage: () => this.#shared.lineage(session),
      storable: (value) => session.storable(value),
      resolvePolicy: (mode) => this.#resolvePolicy(mode),
      confinementFault: () => this.#shared.confinementFault(session.id),
      standingEnvironment: () => (this.environments.list().some((row) => row.retained) ? 'unchanged' : 'none'),
    };
  }

  /** What a call that asks for nothing more would run under now. */
  standingPolicy(): Promise<SandboxPolicy | Unavailable> {
    return this.#resolvePolicy(effective(this.session.policyState()).mode);
  }

  async #resolvePolicy(mode: Mode): Promise<SandboxPolicy | Unavailable> {
    const fault = this.#shared.settingsFault();
    if (fault) return fault;
    const workspace = await workspaceRoot(this.session.header.workspace);
    if ('kind' in workspace) return workspace;
    const policy = { mode, workspace, settings: this.#shared.launchSettings(workspace.path) };
    const linked = linkedGitOf(policy);
    return { ...policy, ...(linked && { linked }) };
  }

  /** A reading call whose hooks may write runs alone, as a writing one does (agent.md, Turn). */
  #effectOf(tool: string) {
    const effect = this.#catalogue.find(tool)?.effect ?? 'read';
    return effect === 'read' && this.#hooks.calls.writesAround(tool) !== 'none' ? 'write' : effect;
  }

  #tools(): readonly Tool[] {
    const { files, commands, rgPath, programs } = this.#shared;
    const { session, environments, jobs } = this;
    const denied = (at: Confinement) => deniedLine(at.policy.mode, effective(session.policyState()).policy);
    const shared = { files, diff: unifiedDiff, deniedLine: denied, snapshots: new Snapshots() };
    const ripgrep = { commands, rgPath };
    const nested = () => this.#catalogue.nested;
    const declarations = () => this.declarations;
    const runCode = runCodeTool(programs, {
      id: session.id,
      environments,
      get nestedTools() {
        return nested();
      },
      get declarations() {
        return declarations();
      },
      effectOf: (tool) => this.#effectOf(tool),
      denialsIn: (message, at) => {
        const { mode, workspace } = at.policy;
        const hints = denialHints(message, workspace.path, at.policy);
        if (hints.length === 0) return undefined;
        const line = [...socketLine(hints, at.policy), denied(at)].join('\n');
        return { denied: hints.map((hint) => ({ ...hint, mode, certain: false })), line };
      },
      dispatchNested: ({ callId, tool, input }, { run, code }, signal) => {
        const parent = { rootCallId: run.callId, parentCallId: run.callId, code };
        return this.#dispatch.nested({ callId, tool, input, lease: run.lease, nested: parent }, signal);
      },
    });
    const tools = [
      readTool(shared),
      writeTool(shared),
      editTool(shared),
      globTool(files, ripgrep),
      grepTool(files, ripgrep),
      bashTool({ commands, files, deniedLine: denied }),
      jobStartTool({ jobs, files, deniedLine: (at) => modeLine(at.policy.mode) }),
      jobListTool(jobs),
      jobOutputTool(jobs),
      jobKillTool(jobs),
      runCode,
    ];
    // Each tool is asked only with the input that its own schema has made.
    return tools as unknown as readonly Tool[];
  }
}
