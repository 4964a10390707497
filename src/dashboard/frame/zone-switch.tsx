import { SegmentedControl } from '@mantine/core';
import type { Zone } from '../parts/time-words';
import { useZone } from '../parts/use-zone';

const zones = [
  { value: 'local', label: 'Local' },
  { value: 'utc', label: 'UTC' },
];

/** Selects the time zone. */
export function ZoneSwitch() {
  const [zone, setZone] = useZone();
  return (
    <SegmentedControl
      size="xs"
      data={zones}
      value={zone}
      onChange={(value) => setZone(value as Zone)}
      aria-label="Time zone"
      visibleFrom="lg"
      style={{ flex: 'none' }}
    />
  );
}
