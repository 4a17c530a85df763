import { expect, it } from 'vitest';
import { enforcementFault } from './enforcement.ts';
import { CONFINED_MODES } from './mode.fixture.ts';
import { policyOf } from './policy.fixture.ts';
import { ENFORCEMENTS } from './provider.ts';

it.each(CONFINED_MODES)(
  'a machine that enforces less than the settings demand is refused with the remedy, in %s',
  (mode) => {
    const refused = (requireEnforcement: 'full' | 'any') =>
      ENFORCEMENTS.filter((found) => enforcementFault(policyOf(mode, { requireEnforcement }), found) !== undefined);
    expect(refused('full')).toEqual(['partial', 'none']);
    expect(refused('any')).toEqual([]);
    expect(enforcementFault(policyOf(mode, { requireEnforcement: 'full' }), 'partial')).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('only a part') as string,
      remedy: expect.stringContaining('launch.requireEnforcement') as string,
    });
  },
);

it('full access needs no enforcement, whatever the settings demand', () => {
  expect(enforcementFault(policyOf('danger-full-access', { requireEnforcement: 'full' }), 'none')).toBeUndefined();
});
