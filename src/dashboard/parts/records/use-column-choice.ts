import { useLocalStorage } from '@mantine/hooks';

export interface ColumnChoice {
  /** Absent when the default columns are shown. */
  readonly chosen: readonly string[] | undefined;
  readonly choose: (ids: readonly string[] | undefined) => void;
}

/** The chosen columns of a list, stored in this browser. */
export function useColumnChoice(title: string): ColumnChoice {
  const key = `pierhead.columns.${title.toLowerCase()}`;
  const [kept, setKept, remove] = useLocalStorage<readonly string[] | null>({ key, defaultValue: null, getInitialValueInEffect: false });
  return { chosen: kept ?? undefined, choose: (ids) => (ids ? setKept(ids) : remove()) };
}
