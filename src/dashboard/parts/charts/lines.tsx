import { lazy } from 'react';

/** Lines over time with an optional `target` line; loaded with the first chart. */
export const Lines = lazy(() => import('./lines-plot'));
