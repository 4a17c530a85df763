import { useText } from '../../text/text.ts';
import { CleanupList } from './CleanupList.tsx';
import './drawer.css';

/** The endings of every Session in one list. */
export function CleanupPlace() {
  const { cleanup } = useText();
  return (
    <div className="page">
      <h1>{cleanup.cleanup}</h1>
      <p className="muted">{cleanup.means}</p>
      <CleanupList />
    </div>
  );
}
