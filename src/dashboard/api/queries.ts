import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

/** Answers stay good for a few seconds; refusals are not retried, an unreachable service is, twice. */
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
