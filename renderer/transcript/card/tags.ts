import type { Json } from '../../../app/base/json.ts';
import type { Facts } from '../../../app/sandbox/facts.ts';
import type { Result } from '../../../app/tool/result.ts';
import type { Dictionary } from '../../text/text.ts';
import { duration } from '../../text/time.ts';
import { shortId } from '../shortId.ts';
import type { Call } from '../row.ts';
import { memberOf } from '../texts.ts';
import { wordOf } from '../wordOf.ts';
import { toolOf } from './head.ts';
import { isJobLive, jobOf, jobState, jobTime } from './jobTags.ts';
import type { Tag } from './tag.ts';

/** What is known of a call at a glance; how it stands comes last. `now` only moves the time of what still runs. */
export function tagsOf(call: Call, dictionary: Dictionary, now: number): readonly Tag[] {
  const { transcript: words } = dictionary;
  const result = call.result?.data;
  const job = jobOf(call);
  const time = job ? jobTime(job, now) : durationOf(call, now);
  return [
    ...environmentTags(call, dictionary),
    ...(call.started?.data.approvalId === undefined || call.started.data.environmentId !== undefined
      ? []
      : [tag('once', 'plain', words.allowedOnce)]),
    ...(result ? countTags(result, dictionary) : []),
    ...(result?.lost
      ? [tag('lost', 'wait', words.lost(wordOf(words.ends, result.lost.reason) ?? result.lost.reason))]
      : []),
    ...(result?.denied?.some(({ certain }) => !certain) ? [tag('guess', 'wait', words.maybeDenied)] : []),
    ...limitTags(result, dictionary),
    ...(time === undefined ? [] : [tag('time', 'plain', duration(time, dictionary))]),
    job ? jobState(job, dictionary) : stateTag(call, dictionary, now),
  ];
}

/** Whether the time on the card moves. */
export function isLive(call: Call): boolean {
  const { phase } = call;
  return phase === 'running' || phase === 'cancelling' || phase === 'waits-for-cleanup' || isJobLive(call);
}

function environmentTags({ started, environment }: Call, { transcript: words }: Dictionary): readonly Tag[] {
  const id = started?.data.environmentId;
  if (id === undefined) return [];
  const isOnce = started?.data.approvalId !== undefined || environment?.data.retained === false;
  const parts = [
    words.environment(shortId(id)),
    ...(isOnce ? [words.once] : environment?.data.retained ? [words.kept] : []),
  ];
  return [tag('environment', 'plain', parts.join(' · '), words.environment(id))];
}

function durationOf({ phase, started, result }: Call, now: number): number | undefined {
  const measured = result?.data.facts?.durationMs;
  if (measured !== undefined) return measured;
  if (!started) return undefined;
  if (result) return Math.max(0, result.time - started.time);
  return phase === 'running' || phase === 'cancelling' ? Math.max(0, now - started.time) : undefined;
}

/** One that did not make it fail; else its state says so. */
function limitTags(result: Result | undefined, { transcript: words }: Dictionary): readonly Tag[] {
  const limit = result?.status === 'ok' ? result.facts?.limit : undefined;
  return limit === undefined ? [] : [tag('limit', 'wait', words.codes[`${limit}-limit`])];
}

/** How much was found or written, and how a command ended where that is more than "ok". */
function countTags({ tool, status, value }: Result, dictionary: Dictionary): readonly Tag[] {
  const { transcript: words } = dictionary;
  if (status !== 'ok') return [];
  const [bytes, replacements, lines] = ['bytes', 'replacements', 'lines'].map((member) => memberOf(value, member));
  const [matches, paths, jobs] = ['matches', 'paths', 'jobs'].map((member) => memberOf(value, member));
  const count = (text: string): readonly Tag[] => [tag('count', 'plain', text)];
  if (tool === 'write' && typeof bytes === 'number') return count(words.bytes(bytes));
  if (tool === 'edit' && typeof replacements === 'number') return count(words.replacements(replacements));
  if (tool === 'read' && typeof lines === 'number') return count(words.lines(lines));
  if (tool === 'grep' && isList(matches)) return count(words.found(matches.length));
  if (tool === 'glob' && isList(paths)) return count(words.files(paths.length));
  if (tool === 'job_list' && isList(jobs)) return count(dictionary.jobs.count(jobs.length));
  return [];
}

function stateTag(call: Call, dictionary: Dictionary, now: number): Tag {
  const { phase, result, cleanup } = call;
  const { transcript: words } = dictionary;
  if (result) return resultTag(call, result.data, dictionary);
  if (phase === 'waits-for-cleanup' && cleanup) {
    const what = cleanup.what === 'environment' ? words.environment(shortId(cleanup.id)) : shortId(cleanup.id);
    return tag('state', 'wait', words.waitsForCleanup(what, duration(Math.max(0, now - cleanup.since), dictionary)));
  }
  const tone =
    phase === 'running' ? 'run' : phase === 'waits-for-approval' || phase === 'cancelling' ? 'wait' : 'plain';
  return tag('state', tone, words.phases[phase]);
}

function resultTag(call: Call, result: Result, { transcript: words }: Dictionary): Tag {
  const { status, code, facts } = result;
  if (status === 'ok') return okTag(toolOf(call), result, words);
  const word = words.statuses[status];
  const killed = facts?.signal ?? undefined;
  const why = code === undefined ? killed : words.codes[code];
  const tone = status === 'cancelled' || status === 'unknown' ? 'wait' : 'danger';
  if (code === 'denied' || code === 'rejected' || code === 'hook-denied') return tag('state', tone, words.codes[code]);
  return tag('state', tone, why === undefined || why === word ? word : words.withCode(word, why));
}

function okTag(tool: string | undefined, { facts, value }: Result, words: Dictionary['transcript']): Tag {
  const exit = exitOf(facts);
  if (exit !== undefined) return tag('state', 'danger', words.exit(exit));
  if (tool === 'write') return tag('state', 'run', memberOf(value, 'created') === true ? words.created : words.written);
  return tag('state', 'run', tool === 'edit' ? words.edited : words.statuses.ok);
}

/** A command that ran to its end is `ok` whatever its exit code; another one than 0 is said in its place. */
function exitOf(facts: Facts | undefined): number | undefined {
  const code = facts?.exitCode;
  return code === null || code === 0 ? undefined : code;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function tag(key: string, tone: Tag['tone'], text: string, title?: string): Tag {
  return { key, tone, text, ...(title !== undefined && { title }) };
}
