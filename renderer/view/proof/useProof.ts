import { useEffect, useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import type { SessionId } from '../../../app/base/id.ts';
import type { Output } from '../../../app/contract/requests.ts';
import { request } from '../../api.ts';

export type Probed = Output<'probe.run'>;

export interface Proof {
  /** Of the last try that ended and was not refused. */
  readonly probed: Probed | undefined;
  readonly trying: boolean;
  /** Why the last one was refused. */
  readonly trouble: string | undefined;
  readonly again: () => void;
}

type Ended =
  | { readonly turn: number; readonly probed: Probed }
  | { readonly turn: number; readonly trouble: string; readonly probed?: never };

/** Tries once when it is first shown, and again when a person wants it. */
export function useProof(sessionId: SessionId): Proof {
  const [turn, setTurn] = useState(0);
  const [ended, setEnded] = useState<Ended>();
  useEffect(() => {
    let over = false;
    request('probe.run', { sessionId }).then(
      (probed) => !over && setEnded({ turn, probed }),
      (fault: unknown) => !over && setEnded({ turn, trouble: messageOf(fault) }),
    );
    return () => {
      over = true;
    };
  }, [sessionId, turn]);
  const trying = ended?.turn !== turn;
  return {
    probed: ended?.probed,
    trying,
    trouble: ended && 'trouble' in ended ? ended.trouble : undefined,
    again: () => {
      if (!trying) setTurn(turn + 1);
    },
  };
}
