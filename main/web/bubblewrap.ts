import { installCommand } from '../sandbox/installCommand.ts';
import { findProgram } from '../sandbox/programs.ts';
import type { Desk } from './browsers.ts';

/** What a person is told when nothing can be confined here because bubblewrap is missing; undefined when it is there. */
export async function bubblewrapMissing({ platform, env, uid }: Desk): Promise<string | undefined> {
  const path = env.PATH ?? '';
  if (platform !== 'linux' || (await findProgram('bwrap', path)) !== undefined) return undefined;
  const install = await installCommand(path, uid);
  const remedy = install === undefined ? 'Install bubblewrap.' : `Install it with: ${install}`;
  return `bubblewrap is missing: until it is there, confined Sessions run no command and no program. ${remedy}`;
}
