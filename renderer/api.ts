import type { Push } from '../app/contract/pushes.ts';
import { RequestError, type Reply } from '../app/contract/reply.ts';
import type { Input, Output, RequestName } from '../app/contract/requests.ts';
import { bridgeWire } from './wire/bridge.ts';
import type { WireState } from './wire/host.ts';
import { socketWire } from './wire/socket.ts';

const wire = window.gatehouse ? bridgeWire(window.gatehouse) : socketWire();

/** Asks the main process. Throws a RequestError with the reply's code and a sentence for a person. */
export async function request<N extends RequestName>(name: N, input: Input<N>): Promise<Output<N>> {
  // The table types both sides of the wire; main has parsed the input and built the output.
  const reply = (await wire.request(name, input)) as Reply<Output<N>>;
  if (!reply.ok) throw new RequestError(reply.code, reply.message, { confirm: reply.confirm });
  return reply.output;
}

/** Pushes in their order. Main built them, so nothing is parsed but the JSON. */
export function onPush(listener: (push: Push) => void): () => void {
  return wire.onPush((json) => listener(JSON.parse(json) as Push));
}

export function onWireState(listener: (state: WireState) => void): () => void {
  return wire.onState(listener);
}

export function touched(): void {
  wire.touched();
}

export function windowLink(): Promise<string | undefined> {
  return wire.link();
}
