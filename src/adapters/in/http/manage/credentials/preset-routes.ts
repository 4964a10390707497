import type { Router } from 'express';
import { partnersToo } from '../http/access';
import { servePath } from '../http/old-serve';
import { presetViews } from './signature-mapper';

/** `/signatures/presets`: named sets of signature settings. */
export function presetRoutes(router: Router): void {
  servePath(router, '/signatures/presets', {
    get: partnersToo((req, res) => {
      res.json({ data: presetViews, next_cursor: null });
    }),
  });
}
