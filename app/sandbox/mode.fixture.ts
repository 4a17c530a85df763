import type { ConfinedMode } from './mode.ts';

export const CONFINED_MODES: readonly ConfinedMode[] = ['read-only', 'workspace-write'];
