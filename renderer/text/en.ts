import { commonEn } from './common.en.ts';
import { notesEn } from './notes.en.ts';
import { shellEn } from './shell.en.ts';
import { policyEn } from './policy.en.ts';
import { composerEn } from './composer.en.ts';
import { transcriptEn } from './transcript.en.ts';
import { approvalEn } from './approval.en.ts';
import { cleanupEn } from './cleanup.en.ts';
import { formsEn } from './forms.en.ts';
import { paletteEn } from './palette.en.ts';
import { jobsEn } from './jobs.en.ts';
import { hooksEn } from './hooks.en.ts';
import { proofEn } from './proof.en.ts';

/** Every text of the window, by area. English is what the other languages are checked against. */
export const en = {
  common: commonEn,
  notes: notesEn,
  shell: shellEn,
  policy: policyEn,
  composer: composerEn,
  transcript: transcriptEn,
  approval: approvalEn,
  cleanup: cleanupEn,
  forms: formsEn,
  palette: paletteEn,
  jobs: jobsEn,
  hooks: hooksEn,
  proof: proofEn,
};
