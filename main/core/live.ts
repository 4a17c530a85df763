import { Barriers } from '../../app/agent/barriers.ts';
import { Turns } from '../../app/agent/turn.ts';
import type { Approvals } from '../../app/approval/approvals.ts';
import type { Ancestor } from '../../app/approval/question.ts';
import type { CallId, SessionId } from '../../app/base/id.ts';
import type { Cleanups } from '../../app/cleanup/cleanups.ts';
import type { Started } from '../../app/cleanup/started.ts';
import { grantingOwner } from '../../app/lease/granting.ts';
import { deniedLine } from '../../app/policy/denied.ts';
import { effective } from '../../app/policy/fold.ts';
import type { NodeProvider, SessionEnvironments } from '../../app/ptc/nodeProvider.ts';
import { runCodeTool } from '../../app/ptc/runCode.ts';
import type { LaunchSettings, SandboxPolicy } from '../../app/sandbox/policy.ts';
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
import { unifiedDiff } from '../files/diff.ts';
import { driverOf } from './agents.ts';
import { workspaceRoot } from './workspace.ts';

/** What all live Sessions of this process share. */
export interface Shared {
  readonly approvals: Approvals;
  readonly cleanups: Cleanups;
  readonly started: Started;
  readonly programs: NodeProvider;
  readonly files: Files;
  readonly commands: Commands;
  readonly rgPath: string;
  /** Why what the settings protect is not known, so that nothing may run; undefined when it is. */
  readonly settingsFault: () => Unavailable | undefined;
  readonly launchSettings: (workspace: string) => LaunchSettings;
  /** Why nothing can be confined now; asked before a person is. */
  readonly confinementFault: () => Promise<Unavailable | undefined>;
  readonly lineage: (session: Session) => readonly Ancestor[];
  readonly history: (session: Session) => Promise<readonly Message[]>;
  readonly output: (sessionId: SessionId, callId: CallId, stream: OutputStream, text: string) => void;
  readonly onFault: (fault: unknown) => void;
}

/** A Session at work: its turns, its tools, its Environments. */
export class LiveSession {
  readonly session: Session;
  readonly environments: SessionEnvironments;
  readonly barriers = new Barriers();
  readonly turns: Turns;
  readonly #shared: Shared;
  readonly #catalogue: Catalogue;
  readonly #dispatch: Dispatch;
  #closing: Promise<void> | undefined;

  constructor(session: Session, shared: Shared) {
    this.session = session;
    this.#shared = shared;
    this.environments = shared.programs.attach(session);
    this.#catalogue = createCatalogue(this.#tools());
    const { approvals, cleanups, started, onFault } = shared;
    this.#dispatch = new Dispatch({
      session: this.#subject(),
      catalogue: this.#catalogue,
      approvals,
      cleanups,
      started,
      onFault,
      output: (callId, stream, text) => shared.output(session.id, callId, stream, text),
    });
    this.turns = this.#turns();
  }

  /** Ends the open turn, then everything that it left; the Session itself is closed by whoever opened it. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.turns.close();
    this.#dispatch.close();
    await this.environments.close();
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
        history: () => this.#shared.history(session),
        get length() {
          return session.length;
        },
      },
      driver,
      lease: grantingOwner,
      effectOf: (tool) => this.#effectOf(tool),
      dispatch: (call, lease, signal) => this.#dispatch.call({ ...call, lease }, signal),
      onFault,
      resumed: {
        turns: folded.turns,
        ...(folded.lastEnd && { lastEnd: folded.lastEnd }),
        callIds,
        queued: folded.queued,
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
      confinementFault: this.#shared.confinementFault,
      standingEnvironment: () => (this.environments.list().some((row) => row.retained) ? 'unchanged' : 'none'),
    };
  }

  async #resolvePolicy(mode: Mode): Promise<SandboxPolicy | Unavailable> {
    const fault = this.#shared.settingsFault();
    if (fault) return fault;
    const workspace = await workspaceRoot(this.session.header.workspace);
    if ('kind' in workspace) return workspace;
    return { mode, workspace, settings: this.#shared.launchSettings(workspace.path) };
  }

  #effectOf(tool: string) {
    return this.#catalogue.find(tool)?.effect ?? 'read';
  }

  #tools(): readonly Tool[] {
    const { files, commands, rgPath, programs } = this.#shared;
    const { session, environments } = this;
    const denied = (at: Confinement) => deniedLine(at.policy.mode, effective(session.policyState()).policy);
    const shared = { files, diff: unifiedDiff, deniedLine: denied, snapshots: new Snapshots() };
    const ripgrep = { commands, rgPath };
    const nested = () => this.#catalogue.nested;
    const runCode = runCodeTool(programs, {
      id: session.id,
      environments,
      get nestedTools() {
        return nested();
      },
      effectOf: (tool) => this.#effectOf(tool),
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
      runCode,
    ];
    // Each tool is asked only with the input that its own schema has made.
    return tools as unknown as readonly Tool[];
  }
}
