import { pathOf } from './path-of';
import type { ApiRoute } from './api/api-route';

/** Tells the pattern of the path that a call on the route came by, such as `/api/v1/connect`: nothing of it is its caller's. */
export function patternOf({ paths }: Pick<ApiRoute, 'paths'>): (target: string) => string {
  const [first = '', ...others] = paths.map((path) => `/api/v1${path}`);
  if (others.length === 0) return () => first;
  const known = new Map(others.flatMap((path) => [[path, path] as const, [`${path}/`, path] as const]));
  return (target) => known.get(pathOf(target)) ?? first;
}
