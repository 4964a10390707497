import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

/** Statuses of a service that is unreachable (0) or busy: the same request succeeds a little later. */
const retried = [0, 429, 503];

/** Answers are cached for a few seconds. A busy or unreachable service is asked again after 1, 2 and 4 s; other refusals are final. */
export const newQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 3 && error instanceof Problem && retried.includes(error.status),
      },
    },
  });
