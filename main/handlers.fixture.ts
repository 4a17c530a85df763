import { requests, type Caller, type Handlers } from '../app/contract/requests.ts';

/** A complete table in which every request that `some` does not name is a fault. */
export function handlersWith(some: Partial<Handlers>): Handlers {
  const fault = (name: string) => [name, () => Promise.reject(new Error(`${name} was not expected`))];
  // Every name of the table has an entry: `some` only replaces.
  return { ...(Object.fromEntries(Object.keys(requests).map(fault)) as unknown as Handlers), ...some };
}

export function callerOf(door = 'test'): Caller & { readonly followed: [string, number | undefined][] } {
  const followed: [string, number | undefined][] = [];
  return { door, followed, follow: (sessionId, seq) => void followed.push([sessionId, seq]) };
}
