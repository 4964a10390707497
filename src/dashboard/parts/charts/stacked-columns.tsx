import { lazy } from 'react';

/** Columns over time or words, stacked by series; loaded with the first chart. */
export const StackedColumns = lazy(() => import('./stacked-columns-plot'));
