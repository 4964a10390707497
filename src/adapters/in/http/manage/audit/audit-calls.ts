import { pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { rangeFilters } from '../http/filters';
import { word } from '../http/query';

/** The audit trail, and its verification. */
export const auditCalls = {
  list: {
    at: 'GET /audit',
    ...{ id: 'listAudit', summary: 'List what was changed, by whom, newest first', who: 'everyone' },
    more: 'A partner sees changes of itself and of its integrations.',
    filters: {
      subject: word('Only changes of this record, such as `miniapp:app_abc123`.'),
      action: word('Only changes of this kind, such as `host-app.created`.'),
      actor: word('Only changes by this actor: `operator` (its token), or a role and the id of an account, such as `operator:…`.'),
      ...rangeFilters,
    },
    gives: pageOf('AuditEntry'),
  },
  verify: {
    at: 'GET /audit/verify',
    ...{ id: 'verifyAudit', summary: 'Check that the audit trail is as it was written', who: 'operator' },
    more: 'It reads the whole trail; the last entry goes to the log, too.',
    gives: ref('AuditVerdict'),
  },
} satisfies Calls;
