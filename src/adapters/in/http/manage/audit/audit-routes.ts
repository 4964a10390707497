import type { Router } from 'express';
import type { AuditChainReader, AuditVerdict } from '../../../../../domain/partners/audit-chain';
import type { AuditReader, AuditRecord } from '../../../../../domain/partners/ports';
import type { Log } from '../../../../../domain/shared/ports';
import { operatorOnly, partnersToo, scopeOf, readsQuery } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { listQuery, pageOf, time, word } from '../http/query';
import { serve } from '../http/serve';

export interface AuditRoutesDeps {
  readonly audit: AuditReader;
  readonly auditChain: AuditChainReader;
  readonly log: Log;
}

/** `/audit`: changes by operators, newest first. `/audit/verify`: whether the trail is unaltered. */
export function auditRoutes(router: Router, { audit, auditChain, log }: AuditRoutesDeps): void {
  let walk: Promise<AuditVerdict> | undefined;
  serve(router, '/audit', {
    get: partnersToo(readsQuery, async (req, res) => {
      const { filter, page } = listQuery(req, { subject: word, action: word, actor: word, from: time, to: time });
      const rows = pageOf(page, (request) => audit.list({ ...present(filter), ...scopeOf(req) }, request), {
        show: auditView,
        cursorOf: ({ id }) => id,
      });
      res.json(await rows);
    }),
  });
  serve(router, '/audit/verify', {
    get: operatorOnly(async (req, res) => {
      // Verification reads the whole trail, so concurrent callers share one run.
      walk ??= auditChain.verify().finally(() => (walk = undefined));
      const verdict = await walk;
      note(log, verdict);
      res.json(verdictView(verdict));
    }),
  });
}

/** Logs the last entry, so that it is also stored outside the database. */
function note(log: Log, { entries, last, broken }: AuditVerdict): void {
  if (broken) log.error('audit-broken', { id: broken.id, cause: broken.how });
  else log.info('audit-verified', { entries, id: last?.id, hash: last?.hash });
}

const auditView = ({ id, at, actor, action, subject, requestId, before, after, hash }: AuditRecord): object =>
  present({ id, at: timeText(at), actor, action, subject, request_id: requestId, before, after, hash });

const verdictView = ({ entries, last, broken }: AuditVerdict): object =>
  present({ whole: broken === undefined, entries, last, broken: broken && { id: broken.id, cause: broken.how } });
