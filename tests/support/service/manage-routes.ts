import type { Router } from 'express';
import type { Audience } from '../../../src/adapters/in/http/manage/http/access';

/** A method of a path of the manage API, as the router has it, and who may use it by its own words. */
export interface Walked {
  readonly method: string;
  readonly path: string;
  readonly audience: Audience | undefined;
}

interface Layer {
  readonly route?: {
    readonly path: string;
    readonly stack: readonly { readonly method?: string; readonly handle: { readonly audience?: Audience } }[];
  };
}

/** Every method of every path in the router's table. `all` is what answers other methods. */
export function walkManage(router: Router): Walked[] {
  return (router.stack as unknown as Layer[]).flatMap(({ route }) => {
    if (!route) return [];
    const first = new Map<string, Audience | undefined>();
    for (const { method, handle } of route.stack) if (method && !first.has(method)) first.set(method, handle.audience);
    return [...first].map(([method, audience]) => ({ method, path: route.path, audience }));
  });
}
