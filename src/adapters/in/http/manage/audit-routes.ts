import type { Router } from 'express';
import type { AuditChain, AuditVerdict } from '../../../../domain/partners/audit-chain';
import type { AuditReader, AuditRecord } from '../../../../domain/partners/ports';
import type { Log } from '../../../../domain/shared/ports';
import { operatorOnly, partnersToo, scopeOf } from './access';
import { timeText } from './partner-wire';
import { present } from './present';
import { listQuery, pageOf, time, word } from './query';
import { serve } from './serve';

export interface AuditRoutesDeps {
  readonly audit: AuditReader;
  readonly auditChain: AuditChain;
  readonly log: Log;
}

/** `/audit`: what operators did, newest first, and `/audit/verify`: whether it is all as it was written. */
export function auditRoutes(router: Router, { audit, auditChain, log }: AuditRoutesDeps): void {
  let walk: Promise<AuditVerdict> | undefined;
  serve(router, '/audit', {
    get: partnersToo(async (req, res) => {
      const { filter, page } = listQuery(req, { subject: word, action: word, actor: word, from: time, to: time });
      const rows = pageOf(page, (asked) => audit.list({ ...present(filter), ...scopeOf(req) }, asked), {
        show: auditView,
        cursorOf: ({ id }) => id,
      });
      res.json(await rows);
    }),
  });
  serve(router, '/audit/verify', {
    get: operatorOnly(async (_req, res) => {
      // It reads the whole trail: who asks meanwhile shares the walk.
      walk ??= auditChain.verify().finally(() => (walk = undefined));
      const verdict = await walk;
      note(log, verdict);
      res.json(verdictView(verdict));
    }),
  });
}

/** The last entry goes to the log, so that it can be kept apart from the database. */
function note(log: Log, { entries, last, broken }: AuditVerdict): void {
  if (broken) log.error('audit-broken', { id: broken.id, cause: broken.how });
  else log.info('audit-verified', { entries, id: last?.id, hash: last?.hash });
}

const auditView = ({ id, at, actor, action, subject, requestId, before, after, hash }: AuditRecord): object =>
  present({ id, at: timeText(at), actor, action, subject, request_id: requestId, before, after, hash });

const verdictView = ({ entries, last, broken }: AuditVerdict): object =>
  present({ whole: broken === undefined, entries, last, broken: broken && { id: broken.id, cause: broken.how } });
