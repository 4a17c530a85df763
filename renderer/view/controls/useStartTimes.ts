import { useConnection } from '../../store/connection.ts';
import { useLanguage } from '../../text/text.ts';
import { clockOf, startedAt } from '../../transcript/times.ts';

/**
 * When a process was started, as a clock shows it. Undefined where the host's clock ticks are all that is known: the number
 * says nothing to a person, and stands in the raw event.
 */
export function useStartTimes(): (startTime: string | undefined) => string | undefined {
  const bootTime = useConnection(({ host }) => host?.bootTime);
  const language = useLanguage();
  return (startTime) => {
    const time = startedAt(startTime, bootTime);
    return time && clockOf(time, new Date(), language);
  };
}
