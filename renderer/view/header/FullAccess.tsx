import { TriangleAlert } from 'lucide-react';
import { usePolicy } from '../../store/policy.ts';
import { useText } from '../../text/text.ts';
import { labelOf } from '../policy/presets.ts';

/** The Session may do everything. Said in its own words where the preset's name does not say it. */
export function FullAccess({ preset }: { readonly preset: string | undefined }) {
  const dictionary = useText();
  const presets = usePolicy((state) => state.presets);
  const { fullAccess } = dictionary.common;
  if (preset !== undefined && labelOf(preset, presets, dictionary) === fullAccess) return null;
  return (
    <span className="chip danger">
      <TriangleAlert size={14} aria-hidden="true" />
      {fullAccess}
    </span>
  );
}
