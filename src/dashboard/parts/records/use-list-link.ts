import { useNavigate } from 'react-router';
import { useRangeSearch } from '../range/use-range';
import { filteredPath } from './filters';

type Filters = Readonly<Record<string, string | number | undefined>>;

/** Leads from a chart to the list behind it: with the page's time range, unless the filters hold another one. */
export function useListLink(path: string): (filters?: Filters) => void {
  const navigate = useNavigate();
  const range = Object.fromEntries(new URLSearchParams(useRangeSearch()));
  return (filters = {}) => void navigate(filteredPath(path, { ...('from' in filters ? {} : range), ...filters }));
}
