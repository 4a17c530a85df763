import { z } from 'zod';

const THEMES = ['system', 'light', 'dark'] as const;
const LANGUAGES = ['system', 'en', 'zh'] as const;

/** What a person chose for the windows. No decision about what may run reads it. */
export interface WindowSettings {
  readonly theme: (typeof THEMES)[number];
  readonly language: (typeof LANGUAGES)[number];
  /** Notes from outside of the window: approval needed, run ended, and so on. */
  readonly notifications: boolean;
  /** Keys by the command that they call, where they are not the built-in ones. */
  readonly shortcuts: Readonly<Record<string, string>>;
  /** The first run is over. */
  readonly welcomed: boolean;
}

export const WINDOW_SETTINGS: WindowSettings = {
  theme: 'system',
  language: 'system',
  notifications: true,
  shortcuts: {},
  welcomed: false,
};

export const windowSchema = z.object({
  theme: z.enum(THEMES).exactOptional(),
  language: z.enum(LANGUAGES).exactOptional(),
  notifications: z.boolean().exactOptional(),
  shortcuts: z.record(z.string(), z.string()).exactOptional(),
  welcomed: z.boolean().exactOptional(),
});
