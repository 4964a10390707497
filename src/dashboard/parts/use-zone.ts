import { useLocalStorage } from '@mantine/hooks';
import type { Zone } from './time-words';

/** In which zone times are shown, and the way to change it; kept in this browser. */
export const useZone = (): [Zone, (zone: Zone) => void] => {
  const [zone, setZone] = useLocalStorage<Zone>({ key: 'pierhead.zone', defaultValue: 'local', getInitialValueInEffect: false });
  return [zone, setZone];
};
