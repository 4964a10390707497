import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

/** Answers are cached for a few seconds. An unreachable service is retried twice; refusals are not retried. */
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
