import { useText } from '../../text/text.ts';
import { Checks } from '../settings/Checks.tsx';
import type { Doctor } from '../settings/useDoctor.ts';

export function MachineStep({ doctor }: { readonly doctor: Doctor }) {
  const { forms } = useText();
  const unfit = doctor.checks.some(({ name, ok }) => name === 'namespaces' && !ok);
  return (
    <>
      <p className="muted">{forms.welcome.machine}</p>
      {unfit && (
        <p className="problem" role="alert">
          {forms.welcome.unfit}
        </p>
      )}
      <Checks doctor={doctor} />
    </>
  );
}
