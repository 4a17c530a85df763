import { create } from 'zustand';
import type { Note } from '../../app/contract/host.ts';
import type { LanguageChoice } from '../store/settings.ts';
import { en } from './en.ts';
import type { Translation } from './translation.ts';

export type Language = 'en' | 'zh';
export type Dictionary = Translation<typeof en>;

const useDictionary = create<{ readonly language: Language; readonly dictionary: Dictionary }>(() => ({
  language: 'en',
  dictionary: en,
}));

/** All texts of the window in the language in force. */
export function useText(): Dictionary {
  return useDictionary((state) => state.dictionary);
}

export function useLanguage(): Language {
  return useDictionary((state) => state.language);
}

/** For what is no component. */
export function text(): Dictionary {
  return useDictionary.getState().dictionary;
}

export function noteText({ kind, title }: Note): string {
  return text().notes[kind](title || text().common.untitled);
}

/** `system`: Chinese where the system speaks it, else English. English is there at once; the other is loaded. */
export async function setLanguage(choice: LanguageChoice): Promise<void> {
  const language = choice === 'system' ? systemLanguage() : choice;
  const dictionary = language === 'zh' ? (await import('./zh.ts')).zh : en;
  useDictionary.setState({ language, dictionary });
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
}

function systemLanguage(): Language {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
