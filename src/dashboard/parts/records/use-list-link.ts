import { useNavigate } from 'react-router';
import { useRangeSearch } from '../range/use-range';
import { filteredPath } from './filters';

type Filters = Readonly<Record<string, string | number | undefined>>;

/** Returns a function that opens the list behind a chart, with the page's time range unless the filters contain one. */
export function useListLink(path: string): (filters?: Filters) => void {
  const navigate = useNavigate();
  const range = Object.fromEntries(new URLSearchParams(useRangeSearch()));
  return (filters = {}) => void navigate(filteredPath(path, { ...('from' in filters ? {} : range), ...filters }));
}
