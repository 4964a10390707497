import type { AuditChainReader, AuditVerdict } from '../../../../../domain/partners/audit-chain';
import type { AuditReader, AuditRecord } from '../../../../../domain/partners/ports';
import type { Log } from '../../../../../domain/shared/ports';
import { scopeOf } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { pageOf } from '../http/query';
import { type Mount, serve } from '../http/serve';
import { auditCalls } from './audit-calls';

export interface AuditRoutesDeps {
  readonly audit: AuditReader;
  readonly auditChain: AuditChainReader;
  readonly log: Log;
}

/** Serves the calls of the audit trail. */
export function auditRoutes(mount: Mount, { audit, auditChain, log }: AuditRoutesDeps): void {
  let walk: Promise<AuditVerdict> | undefined;
  serve(mount, auditCalls, {
    list: async (req, res, { filter, page }) => {
      const wanted = { ...present(filter), ...scopeOf(req) };
      res.json(await pageOf(page, (request) => audit.list(wanted, request), { show: auditView, cursorOf: ({ id }) => id }));
    },
    verify: async (_req, res) => {
      // Verification reads the whole trail, so concurrent callers share one run.
      walk ??= auditChain.verify().finally(() => (walk = undefined));
      const verdict = await walk;
      note(log, verdict);
      res.json(verdictView(verdict));
    },
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
