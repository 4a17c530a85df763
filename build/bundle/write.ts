import { build, type InlineConfig, type Rolldown } from 'vite';

/** One build, written where its configuration says. Rejects with the bundler's message when a source is broken. */
export async function write(config: InlineConfig): Promise<Rolldown.RolldownOutput> {
  const output = await build(config);
  if ('output' in output) return output;
  throw new Error('One build was asked for, and something else was made');
}
