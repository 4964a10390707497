import { lazy } from 'react';

/** Lines over time; a `target` line beside them; loaded with the first chart. */
export const Lines = lazy(() => import('./lines-plot'));
