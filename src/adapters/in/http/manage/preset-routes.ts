import type { Router } from 'express';
import { partnersToo } from './access';
import { serve } from './serve';
import { presetViews } from './signature-wire';

/** `/signatures/presets`: the signature settings that can be had under one name. */
export function presetRoutes(router: Router): void {
  serve(router, '/signatures/presets', {
    get: partnersToo((_req, res) => {
      res.json({ data: presetViews, next_cursor: null });
    }),
  });
}
