import type { FindById, Hit } from '../../../../../domain/search/find-by-id';
import { scopeOf } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { type Mount, serve } from '../http/serve';
import { searchCalls } from './exchange-calls';

/** Serves the search for a record of any kind by its complete id. */
export function searchRoutes(mount: Mount, find: FindById): void {
  serve(mount, searchCalls, {
    find: async (req, res, { q: text }) => {
      if (text === undefined) throw new ManageProblem('invalid-content', { errors: [{ path: 'q', rule: 'is required' }] });
      res.json({ data: (await find.execute({ text, scope: scopeOf(req) })).map(hitView) });
    },
  });
}

const hitView = ({ kind, id, by, clientId, appId, at }: Hit): object =>
  present({ kind, id, by, client_id: clientId, app_id: appId, at: at === undefined ? undefined : timeText(at) });
