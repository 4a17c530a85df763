import { useEffect, useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import type { Output } from '../../../app/contract/requests.ts';
import { request } from '../../api.ts';

export type Check = Output<'doctor.run'>['checks'][number];

export interface Doctor {
  /** Of the last run that ended; none before the first. */
  readonly checks: readonly Check[];
  readonly running: boolean;
  readonly trouble: string | undefined;
  readonly run: () => void;
}

/** Tries what this machine can do, once when it is first shown, and again when a person wants it. */
export function useDoctor(): Doctor {
  const [turn, setTurn] = useState(0);
  const [ended, setEnded] = useState<{
    readonly turn: number;
    readonly checks: readonly Check[];
    readonly trouble?: string;
  }>();
  useEffect(() => {
    let over = false;
    request('doctor.run', {}).then(
      ({ checks }) => !over && setEnded({ turn, checks }),
      (fault: unknown) => !over && setEnded({ turn, checks: [], trouble: messageOf(fault) }),
    );
    return () => {
      over = true;
    };
  }, [turn]);
  const running = ended?.turn !== turn;
  return {
    checks: ended?.checks ?? [],
    running,
    trouble: ended?.trouble,
    run: () => {
      if (!running) setTurn(turn + 1);
    },
  };
}
