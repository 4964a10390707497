import { distanceWords, shortTimeWords, timeWords } from './time-words';
import { useZone } from './use-zone';

interface TimeTextProps {
  /** RFC 3339, or milliseconds since the epoch. */
  readonly at: string | number;
  /** `short` (the default): the time of day, with the day where it is another one; `whole`; `precise`: with milliseconds; `distance`: "3 m ago". */
  readonly as?: 'short' | 'whole' | 'precise' | 'distance';
}

/** A time in the zone that the person chose; the pointer shows it whole, in both. */
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
