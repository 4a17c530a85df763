export const STEPS = ['machine', 'agent', 'start'] as const;
export type Step = (typeof STEPS)[number];
