import * as z from 'zod';
import type { Tool } from '../../tool/tool.ts';
import type { Jobs } from '../jobs.ts';
import type { JobRow } from '../row.ts';

const input = z.strictObject({});

export function jobListTool(jobs: Pick<Jobs, 'list'>): Tool<z.output<typeof input>> {
  return {
    name: 'job_list',
    description: 'Lists the background jobs of this Session: those that run, and the last ones that have ended.',
    input,
    effect: 'manage',
    presentation: 'generic',
    nested: true,
    plan: async () => ({ writes: 'none' }),
    subject: async () => ({ kind: 'call', input: {} }),
    run: async () => {
      const rows = jobs.list();
      const content = rows.length === 0 ? 'No jobs.' : rows.map(line).join('\n');
      return { status: 'ok', content, value: { jobs: rows.map((row) => ({ ...row })) } };
    },
  };
}

function line({ jobId, title, state, pid, outcome, exitCode, signal }: JobRow): string {
  const how = signal ? `, killed by ${signal}` : typeof exitCode === 'number' ? `, exit code ${exitCode}` : '';
  const end = outcome === undefined ? '' : ` (${outcome}${how})`;
  return `${jobId} ${state}${end}${state === 'ended' ? '' : ` pid ${pid}`}: ${title}`;
}
