import { Bubblewrap, type BubblewrapOptions } from './bubblewrap.ts';
import type { Confiner } from './confined.ts';
import { Seatbelt } from './seatbelt.ts';
import { Unconfined } from './unconfined.ts';

/** The Provider of this system; one of them there always is, so that what cannot be confined is refused and not forgotten. */
export function chooseProvider(options: BubblewrapOptions, platform: string = process.platform): Confiner {
  switch (platform) {
    case 'linux':
      return new Bubblewrap(options);
    case 'darwin':
      return new Seatbelt(options);
    default:
      return new Unconfined({ ...options, platform });
  }
}
