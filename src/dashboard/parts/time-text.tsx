import { distanceWords, shortTimeWords, timeWords } from './time-words';
import { useZone } from './use-zone';

interface TimeTextProps {
  /** RFC 3339, or milliseconds since the epoch. */
  readonly at: string | number;
  /** `short` (the default): the time, with the date unless it is today; `whole`; `precise`: with milliseconds; `distance`: "3 m ago". */
  readonly as?: 'short' | 'whole' | 'precise' | 'distance';
}

/** A time in the chosen zone; the tooltip shows the full time in both zones. */
export function TimeText({ at, as = 'short' }: TimeTextProps) {
  const [zone] = useZone();
  const time = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(time)) return <span>–</span>;
  const words = {
    short: () => shortTimeWords(time, zone, Date.now()),
    whole: () => timeWords(time, zone),
    precise: () => timeWords(time, zone, true),
    distance: () => distanceWords(time, Date.now()),
  };
  return (
    <time
      dateTime={new Date(time).toISOString()}
      title={`${timeWords(time, 'local', true)} · ${timeWords(time, 'utc', true)}`}
      style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
    >
      {words[as]()}
    </time>
  );
}
