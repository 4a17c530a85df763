import { z } from 'zod';
import type { Json, JsonObject } from '../base/json.ts';
import { MODES } from '../sandbox/mode.ts';
import type { LaunchSettings } from '../sandbox/policy.ts';
import { APPROVAL_POLICIES } from './events.ts';
import { hooksSchema, type HooksBlock } from './settingsHooks.ts';
import { issueOf, type SettingsIssue } from './settingsIssue.ts';
import { WINDOW_SETTINGS, windowSchema, type WindowSettings } from './settingsWindow.ts';
import {
  CUSTOM,
  DEFAULT_PRESETS,
  findPreset,
  isUnknown,
  narrowestPreset,
  type Preset,
  type PresetTable,
} from './presetTable.ts';

/** `settings.json`, read and filled in. Unknown keys are not here; whoever writes the file keeps them. */
export interface Settings {
  readonly presets: PresetTable;
  /** The user default: the preset that new Sessions are pinned to. It may have left the table since. */
  readonly defaultPreset: string;
  readonly launch: LaunchOverrides;
  /** By canonical root. */
  readonly workspaces: ReadonlyMap<string, WorkspaceOverrides>;
  readonly timeouts: Timeouts;
  readonly hooks: HooksBlock;
  readonly window: WindowSettings;
}

export type LaunchOverrides = Partial<Omit<LaunchSettings, 'limits'>> & {
  readonly limits?: Partial<LaunchSettings['limits']>;
};

export interface WorkspaceOverrides {
  readonly defaultPreset?: string;
  readonly launch?: LaunchOverrides;
  /** They run after those of all workspaces. */
  readonly hooks?: HooksBlock;
  /** The hooks in the workspace's own `.claude/settings.json` run too; off unless a person says so. */
  readonly projectHooks?: boolean;
}

export interface Timeouts {
  readonly busyMs: number;
  readonly wallMs: number;
  readonly idleMs: number;
  /** Absent: a question waits as long as it takes. */
  readonly approvalMs?: number;
}

const absolute = z.string().regex(/^(\/|[A-Za-z]:[\\/])/, 'must be an absolute path');
const fileName = z.string().regex(/^[^/\\]+$/, 'must be a name without a separator');
// An object puts keys that look like an index first, whatever the order of the file.
const presetName = z.string().regex(/^(?!\d+$).{1,64}$/, 'must have 1 to 64 characters and be no number');

const preset = z.object({
  sandbox: z.enum(MODES),
  approval: z.enum(APPROVAL_POLICIES),
  label: z.string().exactOptional(),
  description: z.string().exactOptional(),
});

const limit = z.int().positive().exactOptional();

const launch = z.object({
  writableRoots: z.array(absolute).exactOptional(),
  hide: z.array(absolute).exactOptional(),
  protectedNames: z.array(fileName).exactOptional(),
  network: z.enum(['none', 'host']).exactOptional(),
  unixSockets: z.enum(['block', 'private']).exactOptional(),
  requireEnforcement: z.enum(['full', 'any']).exactOptional(),
  limits: z
    .object({
      heapBytes: limit,
      dataBytes: limit,
      memoryBytes: limit,
      processes: limit,
      descriptors: limit,
      fileBytes: limit,
      outputBytes: limit,
      tempBytes: limit,
    })
    .exactOptional(),
});

const presets = z
  .record(presetName, preset)
  .refine((table) => Object.keys(table).length > 0, 'must have at least one preset')
  .refine((table) => !Object.hasOwn(table, CUSTOM), {
    path: [CUSTOM],
    error: `must not be the name of a preset: "${CUSTOM}" is what a Session shows that matches none`,
  });

const workspace = z.object({
  defaultPreset: z.string().exactOptional(),
  launch: launch.exactOptional(),
  hooks: hooksSchema.exactOptional(),
  projectHooks: z.boolean().exactOptional(),
});

const file = z.object({
  presets: presets.exactOptional(),
  defaultPreset: z.string().exactOptional(),
  launch: launch.exactOptional(),
  workspaces: z.record(absolute, workspace).exactOptional(),
  hooks: hooksSchema.exactOptional(),
  timeouts: z.object({ busyMs: limit, wallMs: limit, idleMs: limit, approvalMs: limit }).exactOptional(),
  window: windowSchema.exactOptional(),
});
type SettingsFile = z.output<typeof file>;

const TIMEOUTS: Timeouts = { busyMs: 60_000, wallMs: 600_000, idleMs: 1_800_000 };

/** What a machine without a settings file has. */
export const DEFAULT_SETTINGS: Settings = {
  presets: DEFAULT_PRESETS,
  defaultPreset: 'workspace-write',
  launch: {},
  workspaces: new Map(),
  timeouts: TIMEOUTS,
  hooks: {},
  window: WINDOW_SETTINGS,
};

/** In force when a file is there and cannot be read, and none was good before: new Sessions are read-only and ask. */
export const NARROW_SETTINGS: Settings = { ...DEFAULT_SETTINGS, defaultPreset: 'read-only' };

/** All of the file or nothing of it: a rule that is not understood never falls through to more access. */
export function readSettings(value: Json): Settings | SettingsIssue {
  const parsed = file.safeParse(value);
  if (!parsed.success) return issueOf(parsed.error, value);
  const { presets: table, defaultPreset, launch: overrides, workspaces, timeouts, hooks = {}, window } = parsed.data;
  return {
    presets: table ? tableOf(table) : DEFAULT_PRESETS,
    defaultPreset: defaultPreset ?? DEFAULT_SETTINGS.defaultPreset,
    launch: overrides ?? {},
    workspaces: new Map(Object.entries(workspaces ?? {})),
    timeouts: { ...TIMEOUTS, ...timeouts },
    hooks,
    window: { ...WINDOW_SETTINGS, ...window },
  };
}

export function isIssue(read: Settings | SettingsIssue): read is SettingsIssue {
  return 'kind' in read;
}

/** The preset of new Sessions there. `missing` names a stored default that is gone: the narrowest one stands in for it. */
export function userDefault(
  settings: Settings,
  workspace?: string,
): { readonly preset: Preset; readonly missing?: string } {
  const local = workspace === undefined ? undefined : settings.workspaces.get(workspace)?.defaultPreset;
  const name = local ?? settings.defaultPreset;
  const found = findPreset(settings.presets, name);
  if (!isUnknown(found)) return { preset: found };
  const narrowest = narrowestPreset(settings.presets) ?? narrowestPreset(DEFAULT_PRESETS);
  if (!narrowest) throw new Error('There is no preset at all');
  return { preset: narrowest, missing: name };
}

/** What launches in that workspace depend on. Hidden and protected entries only ever add up; of the rest the nearest wins. */
export function launchSettings(base: LaunchSettings, settings: Settings, workspace: string): LaunchSettings {
  const layers = [settings.launch, settings.workspaces.get(workspace)?.launch ?? {}];
  return layers.reduce<LaunchSettings>(
    (below, layer) => ({
      ...below,
      ...layer,
      hide: union(below.hide, layer.hide),
      protectedNames: union(below.protectedNames, layer.protectedNames),
      limits: { ...below.limits, ...layer.limits },
    }),
    base,
  );
}

/** The known settings as a door shows them, defaults filled in. */
export function shownSettings(settings: Settings): JsonObject {
  const { presets: table, defaultPreset, launch: overrides, workspaces, timeouts, hooks, window } = settings;
  return {
    presets: Object.fromEntries(table.map(({ name, ...entry }) => [name, entry])),
    defaultPreset,
    launch: overrides as JsonObject,
    workspaces: Object.fromEntries(workspaces) as JsonObject,
    timeouts: { ...timeouts },
    hooks: hooks as JsonObject,
    window: { ...window },
  };
}

function tableOf(table: NonNullable<SettingsFile['presets']>): PresetTable {
  return Object.entries(table).map(([name, entry]) => ({ name, label: name, description: '', ...entry }));
}

function union(below: readonly string[], above: readonly string[] = []): readonly string[] {
  return Array.from(new Set([...below, ...above]));
}
