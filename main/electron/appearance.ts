import type { App, NativeTheme } from 'electron/main';
import type { Json } from '../../app/base/json.ts';
import { isIssue, readSettings } from '../../app/policy/settings.ts';
import { WINDOW_SETTINGS, type WindowSettings } from '../../app/policy/settingsWindow.ts';
import { textsOf, type Texts } from './text.ts';

export interface AppearanceOptions {
  readonly app: Pick<App, 'getLocale'>;
  readonly nativeTheme: Pick<NativeTheme, 'themeSource' | 'shouldUseDarkColors'>;
  /** As they stand now. */
  readonly settings: Json;
  /** Another language or another background. */
  readonly changed: () => void;
}

/** The window's own, so that it does not flash while its page is drawn (renderer/style/tokens.css). */
const BACKGROUND = { light: '#f7f7f5', dark: '#161715' };

/** Language and theme of what the main process shows itself, as the settings say. */
export class Appearance {
  readonly #options: AppearanceOptions;
  #texts: Texts;

  constructor(options: AppearanceOptions) {
    const { app, nativeTheme, settings } = options;
    const { language, theme } = chosenIn(settings);
    this.#options = options;
    this.#texts = textsOf(language, app.getLocale());
    nativeTheme.themeSource = theme;
  }

  get texts(): Texts {
    return this.#texts;
  }

  get background(): string {
    return this.#options.nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light;
  }

  follow(settings: Json): void {
    const { language, theme } = chosenIn(settings);
    const { app, nativeTheme, changed } = this.#options;
    this.#texts = textsOf(language, app.getLocale());
    // The pages follow: this is what they are told the system prefers.
    nativeTheme.themeSource = theme;
    changed();
  }
}

/** Of what a door is shown, which may hold more than we know. */
function chosenIn(settings: Json): WindowSettings {
  const read = readSettings(settings);
  return isIssue(read) ? WINDOW_SETTINGS : read.window;
}
