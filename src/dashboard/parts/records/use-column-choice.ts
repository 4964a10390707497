import { useLocalStorage } from '@mantine/hooks';

export interface ColumnChoice {
  /** Absent: nothing was chosen, the list shows what it shows from the start. */
  readonly chosen: readonly string[] | undefined;
  readonly choose: (ids: readonly string[] | undefined) => void;
}

/** Which columns of a list this browser's person chose. */
export function useColumnChoice(title: string): ColumnChoice {
  const key = `pierhead.columns.${title.toLowerCase()}`;
  const [kept, setKept, remove] = useLocalStorage<readonly string[] | null>({ key, defaultValue: null, getInitialValueInEffect: false });
  return { chosen: kept ?? undefined, choose: (ids) => (ids ? setKept(ids) : remove()) };
}
