/** The sandbox mode, narrow to wide (sandbox.md, Modes). */
export const MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
export type Mode = (typeof MODES)[number];
export type ConfinedMode = Exclude<Mode, 'danger-full-access'>;

export function isWider(mode: Mode, than: Mode): boolean {
  return MODES.indexOf(mode) > MODES.indexOf(than);
}
