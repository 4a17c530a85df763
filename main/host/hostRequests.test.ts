import { describe, expect, it } from 'vitest';
import { Door } from '../door.ts';
import type { Core } from '../coreShape.ts';
import { callerOf } from '../handlers.fixture.ts';
import { createHandlers } from '../handlers.ts';
import { controlHost } from './controlHost.ts';
import { MemoryHost } from './host.fixture.ts';
import type { HostServices } from './hostServices.ts';

const VALUE = 'hush-0123456789';

/** A door over this host alone, and everything that it said to anybody. */
function doorOf(host: HostServices) {
  const said: unknown[] = [];
  const door = new Door({ handlers: createHandlers({} as Core, host), onFault: (fault) => void said.push(fault) });
  const ask = async (name: string, input: unknown = {}) => {
    const reply = await door.answer(callerOf(), name, input);
    said.push(reply);
    return reply;
  };
  return { ask, said };
}

describe('links', () => {
  it('are opened when they are https', async () => {
    const host = new MemoryHost();
    const { ask } = doorOf(host);
    for (const url of ['https://example.org/a?b#c', ' HTTPS:example.org']) {
      expect(await ask('host.openExternal', { url })).toMatchObject({ ok: true });
    }
    expect(host.opened).toEqual(['https://example.org/a?b#c', 'https://example.org/']);
  });

  it.each([
    'http://example.org',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'vscode://file/etc',
    'blob:https://example.org/x',
    '//example.org',
    'example.org',
    'https',
  ])('are refused when they are %j', async (url) => {
    const host = new MemoryHost();
    expect(await doorOf(host).ask('host.openExternal', { url })).toMatchObject({ ok: false, code: 'forbidden' });
    expect(host.opened).toEqual([]);
  });
});

it('a folder that nobody chose is absent from the reply', async () => {
  expect(await doorOf(new MemoryHost()).ask('host.pickFolder')).toEqual({ ok: true, output: {} });
  const picked = await doorOf(new MemoryHost({ picked: '/w' })).ask('host.pickFolder');
  expect(picked).toEqual({ ok: true, output: { path: '/w' } });
});

describe('secrets', () => {
  it('9-g: are stored without a question where there is a keyring', async () => {
    const host = new MemoryHost();
    const reply = await doorOf(host).ask('secret.set', { name: 'webhook', value: VALUE });
    expect(reply).toEqual({
      ok: true,
      output: { secrets: [{ name: 'webhook', stored: true, protection: 'keychain' }] },
    });
    expect(host.values.get('webhook')).toBe(VALUE);
  });

  it('9-g: that are not protected are stored only when the person has agreed to that', async () => {
    const host = new MemoryHost({ protection: 'file' });
    const { ask } = doorOf(host);
    expect(await ask('secret.set', { name: 'webhook', value: VALUE })).toMatchObject({ ok: false, code: 'forbidden' });
    expect(host.values.size).toBe(0);
    expect(await ask('secret.set', { name: 'webhook', value: VALUE, agreed: true })).toMatchObject({ ok: true });
    expect(host.values.get('webhook')).toBe(VALUE);
    expect(await ask('secret.remove', { name: 'webhook' })).toMatchObject({ output: { secrets: [{ stored: false }] } });
    expect(host.values.size).toBe(0);
  });

  it('are in no reply and no fault, whatever is asked and whatever fails', async () => {
    const host = new MemoryHost({ protection: 'file' });
    const { ask, said } = doorOf(host);
    const set = { name: 'webhook', value: VALUE };
    for (const input of [set, { ...set, agreed: true }, { ...set, agreed: 'yes' }, { ...set, name: 'other' }]) {
      await ask('secret.set', input);
    }
    await ask('secret.set', { ...set, value: VALUE.repeat(1000) });
    await ask('secret.list');
    await ask('secret.remove', { name: 'webhook' });
    expect(JSON.stringify(said)).not.toContain(VALUE);
    expect(said).toHaveLength(7);
  });
});

it('the host of control says what it is, and that it has no screen', async () => {
  const { ask } = doorOf(controlHost('/nowhere'));
  expect(await ask('host.describe')).toMatchObject({
    output: { host: 'control', canPickFolder: false, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string },
  });
  expect(await ask('host.pickFolder')).toMatchObject({ ok: false, code: 'forbidden' });
  const opened = await ask('host.openExternal', { url: 'https://example.org' });
  expect(opened).toMatchObject({ ok: false, code: 'forbidden' });
});
