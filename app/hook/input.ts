import type { SessionId } from '../base/id.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { HookedCall } from '../tool/callHooks.ts';
import type { Outcome } from '../tool/result.ts';

/** What a hook reads on its standard input: one JSON object, in the format that hooks of other programs read. */
export type HookInput = JsonObject;

export interface Surroundings {
  readonly sessionId: SessionId;
  readonly cwd: string;
}

/** What a point of work tells its hooks of itself. */
export type Occasion =
  | { readonly on: 'PreToolUse'; readonly call: HookedCall }
  | { readonly on: 'PostToolUse'; readonly call: HookedCall; readonly outcome: Outcome }
  | { readonly on: 'SessionStart' }
  | { readonly on: 'UserPromptSubmit'; readonly prompt: number; readonly text: string }
  /** `again`: the step that just ended was itself asked for by a hook. */
  | { readonly on: 'Stop'; readonly again: boolean };

/** `known` is the name under which the hook is told of the tool. */
export function inputOf(occasion: Occasion, { sessionId, cwd }: Surroundings, known?: string): HookInput {
  return { session_id: sessionId, cwd, hook_event_name: occasion.on, ...detailsOf(occasion, known) };
}

function detailsOf(occasion: Occasion, known: string | undefined): JsonObject {
  switch (occasion.on) {
    case 'PreToolUse':
      return callOf(occasion.call, known);
    case 'PostToolUse':
      return { ...callOf(occasion.call, known), tool_response: responseOf(occasion.outcome) };
    case 'SessionStart':
      return { source: 'startup' };
    case 'UserPromptSubmit':
      return { prompt: occasion.text };
    case 'Stop':
      return { stop_hook_active: occasion.again };
  }
}

function callOf({ callId, tool, input }: HookedCall, known = tool): JsonObject {
  return { tool_name: known, tool_input: withPublicNames(input), tool_use_id: callId };
}

/** What members of our inputs are called elsewhere. */
const PUBLIC_MEMBERS: Readonly<Record<string, string>> = {
  path: 'file_path',
  old: 'old_string',
  new: 'new_string',
  replaceAll: 'replace_all',
  timeoutMs: 'timeout',
};

/** A hook that was written for other names finds what it looks for: a guard that finds nothing would let all pass. */
function withPublicNames(input: Json): Json {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const members = Object.entries(input as JsonObject); // An object that is no array.
  const more = members.flatMap(([name, value]) => {
    const known = Object.hasOwn(PUBLIC_MEMBERS, name) ? PUBLIC_MEMBERS[name] : undefined;
    return known === undefined ? [] : [[known, value] as const];
  });
  return Object.fromEntries([...members, ...more]);
}

function responseOf({ status, code, content, value, facts }: Outcome): JsonObject {
  return {
    status,
    ...(code !== undefined && { code }),
    content,
    ...(value !== undefined && { value }),
    ...(facts && { facts: facts as unknown as JsonObject }), // Facts are plain data of JSON's kinds.
  };
}
