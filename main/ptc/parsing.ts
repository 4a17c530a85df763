import { parentPort } from 'node:worker_threads';
import { normalise, type NormalisedProgram } from './normalise.ts';
import { StripperBroken } from './stripTypes.ts';
import type { SyntaxFault } from '../../app/ptc/nodeProvider.ts';

// A thread that parses what would hold up everything else (see parser.ts). It is given sources and evaluates none.

/** What the thread says of one source. `worn`: an earlier source has broken it, and another thread must be asked. */
export type ParsingReply = NormalisedProgram | SyntaxFault | { readonly kind: 'worn' };

const port = parentPort;
if (!port) throw new Error('This file is the body of a thread');
port.on('message', (source: string) => port.postMessage(reply(source)));

function reply(source: string): ParsingReply {
  try {
    return normalise(source);
  } catch (fault) {
    if (fault instanceof StripperBroken) return { kind: 'worn' };
    throw fault;
  }
}
