// A process that serves `control` over its own stdin and stdout, with a core that holds one request open until it closes.
import { endSignal } from './cli/signals.ts';
import { control } from './control.ts';
import { handlersWith } from './handlers.fixture.ts';

const closed = Promise.withResolvers<{ reason: 'aborted' }>();
const core = {
  attend: () => () => undefined,
  onPush: () => () => undefined,
  readEvents: async () => [],
  close: async () => {
    process.stderr.write('core closed\n');
    closed.resolve({ reason: 'aborted' });
  },
};
const handlers = handlersWith({ 'doctor.run': async () => ({ checks: [] }), 'session.idle': () => closed.promise });
const onFault = (fault: unknown) => void process.stderr.write(`fault ${String(fault)}\n`);

await control({ input: process.stdin, output: process.stdout, core, handlers, onFault }, endSignal(process));
