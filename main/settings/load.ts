import { readFile, stat } from 'node:fs/promises';
import { messageOf } from '../../app/base/fault.ts';
import type { Json, JsonObject } from '../../app/base/json.ts';
import { readJson, type Position } from '../../app/policy/jsonPlaces.ts';
import { isIssue, readSettings, type Settings } from '../../app/policy/settings.ts';
import { codeOf } from '../base/codeOf.ts';
import { sha256 } from '../base/sha256.ts';
import { decode } from './decode.ts';
import { isObject } from './mergePatch.ts';

/** Why the settings file is not in force, for a person. Line and column from 1. */
export interface SettingsProblem extends Position {
  readonly file: string;
  readonly key?: string;
  readonly value?: Json;
  readonly allowed?: readonly Json[];
  readonly message: string;
}

export type Loaded = { readonly revision: string } & (
  | { readonly kind: 'good'; readonly settings: Settings; readonly raw: JsonObject }
  | { readonly kind: 'missing' }
  | { readonly kind: 'bad'; readonly problem: SettingsProblem }
);

export const MISSING = 'missing';
const MAX_BYTES = 4 * 1024 * 1024;

/** Reads the file as it is now. Never throws for what a person may have done to it; a disk that fails is a problem too. */
export async function load(file: string): Promise<Loaded> {
  let bytes: Uint8Array;
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) return bad(file, `size-${size}`, { message: `is longer than ${MAX_BYTES} bytes` });
    bytes = await readFile(file);
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return { kind: 'missing', revision: MISSING };
    return bad(file, 'unreadable', {
      message: `cannot be read: ${messageOf(fault)}`,
    });
  }
  return interpret(file, bytes);
}

export function interpret(file: string, bytes: Uint8Array): Loaded {
  const revision = sha256(bytes);
  const decoded = decode(bytes);
  if (decoded.kind === 'encoding') return bad(file, revision, decoded);
  const json = readJson(decoded.text);
  if (json.kind === 'fault') return bad(file, revision, json);
  if (!isObject(json.value)) return bad(file, revision, { message: 'must be a JSON object', position: json.at([]) });
  const settings = readSettings(json.value);
  if (isIssue(settings)) return bad(file, revision, { ...settings, position: json.at(settings.path) });
  return { kind: 'good', revision, settings, raw: json.value };
}

interface Found {
  readonly message: string;
  readonly position?: Position;
  readonly key?: string;
  readonly value?: Json;
  readonly allowed?: readonly Json[];
}

function bad(file: string, revision: string, found: Found): Loaded {
  const { line, column } = found.position ?? { line: 1, column: 1 };
  const details = {
    ...(found.key !== undefined && { key: found.key }),
    ...(found.value !== undefined && { value: found.value }),
    ...(found.allowed && { allowed: found.allowed }),
  };
  const message = `${file}:${line}:${column}: ${found.message}`;
  return { kind: 'bad', revision, problem: { file, line, column, ...details, message } };
}
