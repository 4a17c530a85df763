import type { SessionId } from '../base/id.ts';

export type HostName = 'electron' | 'browser' | 'control';

/** The program around the core, as a window needs to know it. */
export interface HostDescription {
  readonly host: HostName;
  readonly version: string;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  /** Why this host runs and not the other, for a person; absent where there was no choice. */
  readonly reason?: string;
  /** The host has a dialog of its own to choose a folder. */
  readonly canPickFolder: boolean;
  /** The home folder of the person, to show paths as `~`. */
  readonly userHome: string;
  /** When the machine was started, epoch ms: start times of processes are counted from there. Absent where they are not. */
  readonly bootTime?: number;
}

/** Something worth a person's look while the window is elsewhere. It never carries what is asked, only that something is. */
export interface Note {
  /** One note for one thing, however many windows there are; told again, it replaces itself. */
  readonly noteId: string;
  readonly kind: 'approval-needed' | 'run-failed' | 'run-ended' | 'cleanup-failed' | 'lease-wait';
  readonly sessionId: SessionId;
  /** The Session's title. */
  readonly title: string;
  /** What it told of is over: it is taken back. */
  readonly withdrawn?: true;
}

/** What a window is asked to bring before the person: a click on a note, a second start of the program. */
export interface Show {
  readonly sessionId?: SessionId;
  /** A folder for a new Session. */
  readonly workspace?: string;
}

/** The secrets that Gatehouse has a use for. */
export const SECRET_NAMES = ['webhook'] as const;
export type SecretName = (typeof SECRET_NAMES)[number];

export interface SecretRow {
  readonly name: SecretName;
  readonly stored: boolean;
  /** `keychain`: only this user's keyring can read it. `file`: readable by whoever can read this user's files. */
  readonly protection: 'keychain' | 'file';
  /** Why it is not protected, for a person. */
  readonly reason?: string;
}
