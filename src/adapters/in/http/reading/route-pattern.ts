import { pathOf } from './path-of';
import type { ApiRoute } from '../api/api-route';

/**
 * Returns a function that finds the route pattern for a call's path, such as `/api/v1/connect`. The result contains nothing from the
 * caller.
 */
export function patternOf({ paths }: Pick<ApiRoute, 'paths'>): (target: string) => string {
  const [first = '', ...others] = paths.map((path) => `/api/v1${path}`);
  if (others.length === 0) return () => first;
  const known = new Map(others.flatMap((path) => [[path, path] as const, [`${path}/`, path] as const]));
  return (target) => known.get(pathOf(target)) ?? first;
}
