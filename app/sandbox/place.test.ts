import { describe, expect, it } from 'vitest';
import { carriers, isWithin, placeOf } from './place.ts';
import { policyOf } from './policy.fixture.ts';

describe('isWithin', () => {
  it('2-a: counts by component, so a sibling with the same prefix is outside', () => {
    expect(isWithin('/t/project-evil/x', '/t/project')).toBe(false);
    expect(isWithin('/t/project/x', '/t/project')).toBe(true);
  });

  it('takes a folder to be within itself, and everything to be within the root', () => {
    expect(isWithin('/t', '/t')).toBe(true);
    expect(isWithin('/t', '/')).toBe(true);
    expect(isWithin('/', '/t')).toBe(false);
  });
});

describe('placeOf', () => {
  it('takes /tmp to be the private temp in confined modes only', () => {
    expect(placeOf('/tmp/x', policyOf('read-only'))).toEqual({ kind: 'temp', path: '/tmp/x' });
    expect(placeOf('/tmp/x', policyOf('danger-full-access'))).toEqual({ kind: 'host', path: '/tmp/x' });
  });

  it('2-h: takes a workspace below /tmp to be the one on the host', () => {
    const policy = policyOf('workspace-write', { workspace: '/tmp/t/ws' });
    expect(placeOf('/tmp/t/ws/a', policy).kind).toBe('host');
    expect(placeOf('/tmp/t/other', policy).kind).toBe('temp');
  });

  it('takes /tmpfile to be a place of the host', () => {
    expect(placeOf('/tmpfile', policyOf('read-only')).kind).toBe('host');
  });
});

describe('carriers', () => {
  it('names the first component below the temp, once', () => {
    expect(carriers(['/tmp/b/c/d', '/tmp/b/e', '/tmp/a', '/home/u', '/tmp'])).toEqual(['/tmp/a', '/tmp/b']);
  });
});
