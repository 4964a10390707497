import type { Router } from 'express';
import { partnersToo } from '../http/access';
import { serve } from '../http/serve';
import { presetViews } from './signature-mapper';

/** `/signatures/presets`: named sets of signature settings. */
export function presetRoutes(router: Router): void {
  serve(router, '/signatures/presets', {
    get: partnersToo((req, res) => {
      res.json({ data: presetViews, next_cursor: null });
    }),
  });
}
