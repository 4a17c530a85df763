import type { en } from './en.ts';
import { commonZh } from './common.zh.ts';
import { notesZh } from './notes.zh.ts';
import { shellZh } from './shell.zh.ts';
import { policyZh } from './policy.zh.ts';
import { composerZh } from './composer.zh.ts';
import { transcriptZh } from './transcript.zh.ts';
import { approvalZh } from './approval.zh.ts';
import { cleanupZh } from './cleanup.zh.ts';
import { formsZh } from './forms.zh.ts';
import { paletteZh } from './palette.zh.ts';
import { jobsZh } from './jobs.zh.ts';
import { hooksZh } from './hooks.zh.ts';
import { proofZh } from './proof.zh.ts';
import type { Translation } from './translation.ts';

export const zh: Translation<typeof en> = {
  common: commonZh,
  notes: notesZh,
  shell: shellZh,
  policy: policyZh,
  composer: composerZh,
  transcript: transcriptZh,
  approval: approvalZh,
  cleanup: cleanupZh,
  forms: formsZh,
  palette: paletteZh,
  jobs: jobsZh,
  hooks: hooksZh,
  proof: proofZh,
};
