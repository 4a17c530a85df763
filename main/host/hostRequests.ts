import { RequestError } from '../../app/contract/reply.ts';
import type { Input, Output } from '../../app/contract/requests.ts';
import type { HostServices, Secrets } from './hostServices.ts';

// The requests `host.*` and `secret.*`, whichever host it is.

export async function pickFolder(host: HostServices): Promise<Output<'host.pickFolder'>> {
  const path = await host.pickFolder();
  return path === undefined ? {} : { path };
}

/** Links come from agents: nothing but `https:` ever reaches the system. */
export async function openExternal(
  host: HostServices,
  { url }: Input<'host.openExternal'>,
): Promise<Output<'host.openExternal'>> {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:')
    throw new RequestError('forbidden', 'Only links that begin with https: are opened.');
  await host.openExternal(parsed);
  return {};
}

export async function listSecrets(secrets: Secrets): Promise<Output<'secret.list'>> {
  return { secrets: await secrets.list() };
}

/** What this host cannot protect is kept only when the person has agreed to just that. */
export async function setSecret(
  secrets: Secrets,
  { name, value, agreed }: Input<'secret.set'>,
): Promise<Output<'secret.set'>> {
  const row = (await secrets.list()).find((each) => each.name === name);
  if (row?.protection !== 'keychain' && agreed === undefined) {
    const why = row?.reason ?? 'This host has no keyring.';
    throw new RequestError('forbidden', `${why} It is stored when you agree that it is not protected.`);
  }
  await secrets.set(name, value);
  return listSecrets(secrets);
}

export async function removeSecret(
  secrets: Secrets,
  { name }: Input<'secret.remove'>,
): Promise<Output<'secret.remove'>> {
  await secrets.remove(name);
  return listSecrets(secrets);
}
