import { useEffect, useState } from 'react';
import { messageOf } from '../../../app/base/fault.ts';
import type { SecretName, SecretRow } from '../../../app/contract/host.ts';
import type { Input, Output } from '../../../app/contract/requests.ts';
import { request } from '../../api.ts';

export interface Secrets {
  readonly rows: readonly SecretRow[];
  readonly trouble: string | undefined;
  /** False: it was not stored, and `trouble` says why. */
  readonly store: (input: Input<'secret.set'>) => Promise<boolean>;
  readonly remove: (name: SecretName) => Promise<boolean>;
}

export function useSecrets(): Secrets {
  const [rows, setRows] = useState<readonly SecretRow[]>([]);
  const [trouble, setTrouble] = useState<string>();
  const take = async (asked: Promise<Output<'secret.list'>>): Promise<boolean> => {
    try {
      setRows((await asked).secrets);
      setTrouble(undefined);
      return true;
    } catch (fault) {
      setTrouble(messageOf(fault));
      return false;
    }
  };
  useEffect(() => {
    request('secret.list', {}).then(
      ({ secrets }) => setRows(secrets),
      (fault: unknown) => setTrouble(messageOf(fault)),
    );
  }, []);
  return {
    rows,
    trouble,
    store: (input) => take(request('secret.set', input)),
    remove: (name) => take(request('secret.remove', { name })),
  };
}
