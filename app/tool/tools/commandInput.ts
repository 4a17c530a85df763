import * as z from 'zod';

/** What every tool that runs a command line is given. */
export const commandInput = {
  command: z
    .string()
    .refine((text) => text.trim() !== '', 'must not be blank')
    .refine((text) => !text.includes('\0'), 'must not contain a NUL character'),
  cwd: z.string().min(1).optional().describe('Folder to run in; the workspace by default'),
};
