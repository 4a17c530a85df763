import type { Page } from 'playwright';
import { withHome, type StoredSession } from './home.ts';
import type { Host } from './hosts.ts';
import { Person } from './person.ts';

export interface OpenWindow {
  readonly page: Page;
  readonly person: Person;
  /** The data folder. */
  readonly home: string;
}

/** A window of a program with these Sessions, for as long as `work` takes. */
export function withWindow<T>(
  host: Host,
  sessions: readonly StoredSession[],
  work: (window: OpenWindow) => Promise<T>,
): Promise<T> {
  return withHome(sessions, async (home) => {
    const running = await host.start(home);
    try {
      const { page } = running;
      return await work({ page, person: await Person.at(page), home });
    } finally {
      await running.close();
    }
  });
}
