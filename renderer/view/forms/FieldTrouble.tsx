import { Visible } from '../approval/Visible.tsx';

interface FieldTroubleProps {
  /** Named by the field's `aria-describedby`. */
  readonly id?: string;
  readonly message: string | undefined;
}

/** Next to the field it is about; there, empty, before anything is wrong, so that it is read out when it comes. */
export function FieldTrouble({ id, message }: FieldTroubleProps) {
  return (
    <p id={id} className="trouble" role="alert">
      {message !== undefined && <Visible text={message} />}
    </p>
  );
}
