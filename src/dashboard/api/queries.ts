import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

/** What is read stays good for a few seconds; refusals are not asked for again, an unreachable service is, twice. */
export const newQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && error instanceof Problem && (error.status === 0 || error.status === 503),
      },
    },
  });
