import { describe, expect, it } from 'vitest';
import type { CallId, SessionId } from '../base/id.ts';
import { inputOf } from './input.ts';

const at = { sessionId: 's_1' as SessionId, cwd: '/w' };
const call = { callId: 'c1' as CallId, tool: 'edit', input: { path: 'a', old: 'x', new: 'y', replaceAll: true } };
const common = { session_id: 's_1', cwd: '/w' };

describe('what a hook reads', () => {
  it('is the call under the name that the hook knows, with its members under both of their names in any case', () => {
    const base = { ...common, hook_event_name: 'PreToolUse', tool_use_id: 'c1' };
    const both = { ...call.input, file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true };
    expect(inputOf({ on: 'PreToolUse', call }, at, 'edit')).toEqual({
      ...base,
      tool_name: 'edit',
      tool_input: both,
    });
    expect(inputOf({ on: 'PreToolUse', call }, at, 'Edit')).toEqual({
      ...base,
      tool_name: 'Edit',
      tool_input: both,
    });
  });

  it('has what came of the call, after it', () => {
    const outcome = { status: 'failed', code: 'stale', content: 'It was changed.' } as const;
    expect(inputOf({ on: 'PostToolUse', call, outcome }, at, 'edit')).toMatchObject({ tool_response: outcome });
  });

  it('is what each point of a turn has to tell', () => {
    expect(inputOf({ on: 'UserPromptSubmit', prompt: 3, text: 'Hi' }, at)).toEqual({
      ...common,
      hook_event_name: 'UserPromptSubmit',
      prompt: 'Hi',
    });
    expect(inputOf({ on: 'SessionStart' }, at)).toMatchObject({ source: 'startup' });
    expect(inputOf({ on: 'Stop', again: true }, at)).toMatchObject({ stop_hook_active: true });
  });
});
