import { create } from 'zustand';
import type { Json } from '../../../app/base/json.ts';
import { RequestError } from '../../../app/contract/reply.ts';
import { changeSettings, loadSettings, replaceSettings, useSettings } from '../../store/settings.ts';
import { changesOf, isUntouched, valueAt, type Edit } from './edit.ts';

/** `theirs`: the person took what the file says by now. `unsaved`: they left it, and nothing was written. */
export type Saved = 'saved' | 'theirs' | 'unsaved';

/** What a person has to say before anything is written. */
export type Doubt =
  /** The file cannot be read. Writing would lose whatever stands in it. */
  | { readonly kind: 'malformed'; readonly message: string }
  /** The very thing was changed outside since the person began. */
  | { readonly kind: 'changed'; readonly edit: Edit; readonly now: Json | undefined };

export type Choice = 'cancel' | 'replace' | 'theirs' | 'mine';

interface Asked {
  readonly doubt: Doubt;
  readonly answer: (choice: Choice) => void;
}

/** At most one is asked at a time: the dialog bars the way to the next edit. */
export const useDoubt = create<{ readonly asked: Asked | undefined }>(() => ({ asked: undefined }));

/** How often an outside change of something else may come between before that is a fault. */
const ATTEMPTS = 5;

/**
 * Writes one edit into the settings file. What others change in the file meanwhile stays; where they changed this very
 * thing, or the file cannot be read, nothing is written until the person has chosen (ui.md, Around it).
 */
export async function save(edit: Edit): Promise<Saved> {
  let wanted = edit;
  let fault: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { settings, revision } = useSettings.getState();
    if (!isUntouched(wanted, settings)) {
      const now = valueAt(settings, wanted.at);
      const choice = await ask({ kind: 'changed', edit: wanted, now });
      if (choice !== 'mine') return choice === 'theirs' ? 'theirs' : 'unsaved';
      wanted = { ...wanted, seen: now };
      continue;
    }
    fault = await written(wanted);
    if (fault === undefined) return 'saved';
    const now = useSettings.getState();
    // Refused although it was made against this very file: it is malformed.
    if (now.revision === revision && now.problem !== undefined) return replaced(wanted, now.problem);
  }
  throw fault;
}

/** Undefined when it is written; the conflict when it is not, with the settings read anew. */
async function written(edit: Edit): Promise<RequestError | undefined> {
  try {
    await changeSettings(changesOf(edit));
    return undefined;
  } catch (fault) {
    if (!(fault instanceof RequestError) || fault.code !== 'conflict') throw fault;
    await loadSettings();
    return fault;
  }
}

async function replaced(edit: Edit, message: string): Promise<Saved> {
  if ((await ask({ kind: 'malformed', message })) !== 'replace') return 'unsaved';
  await replaceSettings(changesOf(edit));
  return 'saved';
}

function ask(doubt: Doubt): Promise<Choice> {
  return new Promise((resolve) => {
    const answer = (choice: Choice): void => {
      useDoubt.setState({ asked: undefined });
      resolve(choice);
    };
    useDoubt.setState({ asked: { doubt, answer } });
  });
}
