import type { SessionId } from '../../app/base/id.ts';
import type { Notice } from '../../app/contract/pushes.ts';
import { hooksOf, type Hook } from '../../app/hook/hook.ts';
import type { HookSource, HooksInForce } from '../../app/hook/source.ts';
import type { Settings, WorkspaceOverrides } from '../../app/policy/settings.ts';
import { hasHooks } from '../../app/policy/settingsHooks.ts';
import type { Confinement, Files } from '../../app/tool/ports.ts';
import { PROJECT_FILE, ProjectHooksFile } from './projectHooks.ts';

export interface HookSourceParts {
  readonly sessionId: SessionId;
  /** Canonical. */
  readonly workspace: string;
  readonly settings: () => Settings;
  readonly files: Files;
  /** Told to every door, and recorded in the Session. */
  readonly notice: (notice: Notice) => void;
  /** Whether the Session's log has a notice of this code already. */
  readonly wasTold: (code: string) => boolean;
}

const OFF = 'project-hooks-off';
const BROKEN = 'project-hooks-broken';

/** The hooks of one Session: those of the settings in force, and those of its workspace where a person wants them. */
export class SessionHookSource implements HookSource {
  readonly #parts: HookSourceParts;
  readonly #file: ProjectHooksFile;
  #project: readonly Hook[] | undefined;
  #broken: string | undefined;
  #isOffTold: boolean;

  constructor(parts: HookSourceParts) {
    this.#parts = parts;
    this.#file = new ProjectHooksFile(parts.files);
    this.#isOffTold = parts.wasTold(OFF);
  }

  some(): boolean {
    const { hooks = {}, projectHooks = false } = this.#workspace;
    return projectHooks || hasHooks(hooks) || hasHooks(this.#parts.settings().hooks);
  }

  async read(at: Confinement, signal: AbortSignal): Promise<HooksInForce> {
    const own = this.#own();
    if (!this.#isProjectOn) return { kind: 'hooks', hooks: own };
    const project = await this.#file.read(at, signal);
    this.#project = project.kind === 'broken' ? undefined : hooksOf(project.kind === 'block' ? project.block : {});
    this.#tellBroken(project.kind === 'broken' ? project.message : undefined);
    if (project.kind === 'broken') return { kind: 'unknown', message: project.message, hooks: own };
    return { kind: 'hooks', hooks: [...own, ...(this.#project ?? [])] };
  }

  known(): readonly Hook[] | undefined {
    if (!this.#isProjectOn) return this.#own();
    return this.#project && [...this.#own(), ...this.#project];
  }

  /** Once per Session: that its workspace has hooks which do not run, and how they would. */
  async tellOff(at: () => Promise<Confinement | undefined>, signal: AbortSignal): Promise<void> {
    if (this.#isOffTold || this.#isProjectOn) return;
    const { sessionId, workspace, notice } = this.#parts;
    const under = await at();
    if (!under) return;
    const project = await this.#file.read(under, signal);
    const isThere = project.kind === 'broken' || (project.kind === 'block' && hasHooks(project.block));
    if (!isThere || this.#isOffTold) return;
    this.#isOffTold = true;
    const message = `This workspace has hooks of its own in ${PROJECT_FILE}. They are off. To switch them on, set workspaces.${JSON.stringify(workspace)}.projectHooks to true in settings.json.`;
    notice({ noticeId: `${OFF}-${sessionId}`, level: 'info', code: OFF, message, sessionId });
  }

  #tellBroken(message: string | undefined): void {
    if (message === this.#broken) return;
    this.#broken = message;
    const { sessionId } = this.#parts;
    const notice = { noticeId: `${BROKEN}-${sessionId}`, code: BROKEN, sessionId } as const;
    if (message === undefined) {
      const good = `The hooks in ${PROJECT_FILE} are good again.`;
      this.#parts.notice({ ...notice, level: 'info', message: good, closed: true });
      return;
    }
    const text = `The hooks of this workspace are not understood, so no call runs and no prompt is sent until they are: ${message}`;
    this.#parts.notice({ ...notice, level: 'error', message: text });
  }

  get #workspace(): WorkspaceOverrides {
    return this.#parts.settings().workspaces.get(this.#parts.workspace) ?? {};
  }

  get #isProjectOn(): boolean {
    return this.#workspace.projectHooks ?? false;
  }

  #own(): readonly Hook[] {
    const { hooks = {} } = this.#workspace;
    return [...hooksOf(this.#parts.settings().hooks), ...hooksOf(hooks)];
  }
}
