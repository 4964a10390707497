import type { Router } from 'express';
import type { FindById, Hit } from '../../../../../domain/search/find-by-id';
import { partnersToo, scopeOf, readsQuery } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { query, text as idText } from '../http/old-query';
import { servePath } from '../http/old-serve';

/** `/search?q=`: finds a record of any kind by its complete id. */
export function searchRoutes(router: Router, find: FindById): void {
  servePath(router, '/search', {
    get: partnersToo(readsQuery, async (req, res) => {
      const { q: text } = query(req, { q: idText });
      if (text === undefined) throw new ManageProblem('invalid-content', { errors: [{ path: 'q', rule: 'is required' }] });
      res.json({ data: (await find.execute({ text, scope: scopeOf(req) })).map(hitView) });
    }),
  });
}

const hitView = ({ kind, id, by, clientId, appId, at }: Hit): object =>
  present({ kind, id, by, client_id: clientId, app_id: appId, at: at === undefined ? undefined : timeText(at) });
