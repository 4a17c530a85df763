import { useConnection } from '../store/connection.ts';
import { useText } from '../text/text.ts';

/** Said for as long as this window cannot hear the main process: nothing on screen is up to date then. */
export function ConnectionBar() {
  const wire = useConnection((state) => state.wire);
  const { common } = useText();
  if (wire.kind === 'ready') return null;
  return (
    <p className={`connection ${wire.kind === 'connecting' ? '' : 'bad'}`} role="status">
      {common.connection[wire.kind]}
    </p>
  );
}
