import type { Json } from '../../app/base/json.ts';
import type { Text } from '../../app/base/text.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import type { Result } from '../../app/tool/result.ts';
import { visible } from './print.ts';

/** One event as a person reads it in a terminal; undefined for what the story does not need. */
export function tell(event: SessionEvent): string | undefined {
  return tellTurn(event) ?? tellCall(event) ?? tellPolicy(event);
}

function tellTurn(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'user/message':
      return `> ${cut(plain(event.data.text))}`;
    case 'assistant/message':
      return plain(event.data.text) === '' ? undefined : cut(plain(event.data.text));
    case 'turn/end': {
      const { turn, reason, by, message } = event.data;
      return `Turn ${turn} ${reason}${by ? ` by ${by}` : ''}${message ? `: ${cut(message)}` : ''}`;
    }
    case 'session/notice':
      return `! ${cut(event.data.message)}`;
    case 'session/delegated':
      return `* delegated to ${event.data.childId}: ${cut(event.data.title)}`;
    default:
      return undefined;
  }
}

function tellCall(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'tool/call':
      return `* ${visible(event.data.tool)} ${summary(event.data.input)}`;
    case 'tool/nested-start':
      return `  * ${visible(event.data.tool)} ${summary(event.data.input)}`;
    case 'tool/result':
      return tellResult(event.data, '  ');
    case 'tool/nested-result':
      return tellResult(event.data, '    ');
    default:
      return undefined;
  }
}

function tellPolicy(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'permission/preset':
      return `# preset ${visible(event.data.preset)}`;
    case 'sandbox/mode':
      return `# mode ${event.data.mode}`;
    case 'approval/policy':
      return `# approval policy ${event.data.policy}`;
    case 'approval/asked':
      return `? approval asked: ${cut(event.data.rule)}`;
    case 'approval/decided': {
      const { outcome, reason, note } = event.data;
      return `? approval ${outcome}${reason ? ` (${reason})` : ''}${note ? `: ${cut(note)}` : ''}`;
    }
    case 'cleanup/ended': {
      const { phase, failed } = event.data;
      return failed ? `! cleanup failed (${phase}): ${cut(failed.error)}` : undefined;
    }
    default:
      return undefined;
  }
}

function tellResult(result: Result, indent: string): string {
  const head = `${result.status}${result.code ? ` ${result.code}` : ''}`;
  const failed = result.cleanupError ? [`cleanup: ${result.cleanupError}`] : [];
  const lines = [head, ...cut(result.content).split('\n'), ...failed.map(visible)];
  return lines.map((line) => `${indent}${line}`.trimEnd()).join('\n');
}

function summary(input: Json): string {
  return visible(shorten(JSON.stringify(input), 200));
}

function plain(text: string | Text): string {
  return typeof text === 'string' ? text : text.text;
}

const LONGEST = 4000;

function cut(text: string): string {
  return visible(shorten(text.trimEnd(), LONGEST));
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit).toWellFormed()}… (${text.length - limit} more)`;
}
