import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { theme } from '../../pages/theme';
import { newQueries } from '../api/queries';
import { Notices } from '../parts/notices';
import { newRouter } from './router';

const queries = newQueries();
const router = newRouter();

/** The whole page: theme, queries and router. */
export function Dashboard() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  );
}
