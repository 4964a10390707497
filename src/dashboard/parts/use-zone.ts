import { useLocalStorage } from '@mantine/hooks';
import type { Zone } from './time-words';

/** The time zone for display and its setter; stored in this browser. */
export const useZone = (): [Zone, (zone: Zone) => void] => {
  const [zone, setZone] = useLocalStorage<Zone>({ key: 'pierhead.zone', defaultValue: 'local', getInitialValueInEffect: false });
  return [zone, setZone];
};
