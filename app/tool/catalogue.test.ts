import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createCatalogue, isParsed } from './catalogue.ts';
import type { Tool } from './tool.ts';

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    input: z.strictObject({ path: z.string().min(1), count: z.int().default(3) }),
    effect: 'read',
    presentation: 'generic',
    nested: true,
    plan: async () => ({ writes: 'none' }),
    subject: async () => ({ kind: 'call', input: {} }),
    run: async () => ({ status: 'ok', content: '' }),
    ...more,
  };
}

const catalogue = createCatalogue([tool('read'), tool('write', { escalates: 'once', nested: false })]);

function parsed(name: string, raw: unknown) {
  const call = catalogue.parse(name, raw);
  if (!isParsed(call)) throw new Error(call.content);
  return call;
}

describe('the catalogue', () => {
  it('fills defaults in and gives the tool with its input', () => {
    const call = parsed('read', { path: 'a' });
    expect(call.tool.name).toBe('read');
    expect(call.input).toEqual({ path: 'a', count: 3 });
    expect(call).not.toHaveProperty('escalate');
  });

  it.each(['constructor', '__proto__', 'toString', 'nothing', ''])('knows no tool called %j', (name) => {
    expect(catalogue.parse(name, {})).toMatchObject({ status: 'refused', code: 'unknown-tool' });
    expect(catalogue.find(name)).toBeUndefined();
  });

  it('names the tools there are, and cuts a name between two characters', () => {
    const { content } = catalogue.parse(`${'x'.repeat(79)}😀😀`, {}) as { content: string };
    expect(content).toContain('read, write');
    expect(content.isWellFormed()).toBe(true);
    expect(content).not.toContain('�');
  });

  it.each([
    [{ count: 1 }, 'path: '],
    [{ path: '' }, 'path: '],
    [{ path: 'a', count: 1.5 }, 'count: '],
    [{ path: 'a', colour: 1 }, 'colour'],
    ['text', 'input: '],
    [null, 'input: '],
    [{ path: 'a', escalate: { to: 'workspace-write', justification: 'x' } }, 'escalate'],
  ])('refuses %j and says where', (raw, place) => {
    const refusal = catalogue.parse('read', raw);
    expect(refusal).toMatchObject({ status: 'refused', code: 'invalid-input' });
    expect((refusal as { content: string }).content).toContain(place);
  });

  it('tells every problem on a line of its own', () => {
    const { content } = catalogue.parse('read', { path: 1, count: 'a' }) as { content: string };
    expect(content.split('\n').slice(1)).toHaveLength(2);
  });

  it('takes the escalation out of the input of a tool that can escalate', () => {
    const escalate = { to: 'danger-full-access', justification: 'because' };
    const call = parsed('write', { path: 'a', escalate });
    expect(call.input).toEqual({ path: 'a', count: 3 });
    expect(call.escalate).toEqual(escalate);
  });

  it.each([
    { to: 'workspace-write' },
    { to: 'workspace-write', justification: '' },
    { to: 'workspace-write', justification: ' \n\t\u00a0' },
    { to: 'everything', justification: 'x' },
    { to: 'workspace-write', justification: 'x', forever: true },
  ])('ESC-4: takes %j for invalid input', (escalate) => {
    expect(catalogue.parse('write', { path: 'a', escalate })).toMatchObject({ code: 'invalid-input' });
  });

  it('shows the escalation in the schema of exactly the tools that can escalate', () => {
    expect(JSON.stringify(catalogue.schema('write'))).toContain('justification');
    expect(JSON.stringify(catalogue.schema('read'))).not.toContain('justification');
    expect(catalogue.schema('constructor')).toBeUndefined();
  });

  it('lists what programs may call', () => {
    expect(catalogue.nested).toEqual(['read']);
  });

  it('does not take two tools of one name', () => {
    expect(() => createCatalogue([tool('a'), tool('a')])).toThrow('Two tools are called a');
  });
});
