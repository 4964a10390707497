import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { Completion } from '../../../../domain/payments/order-payment';
import type { NotedDisagreement, ReportDifference } from '../../../../domain/payments/payment-record-repository';
import type { PaymentKey } from '../../../../domain/payments/ports';
import { jsonEquals } from '../../../../domain/shared/print-json';
import { completionFrom, type PaymentConflictRow } from './payment.schema';
import { conflictSealContext } from './payment-seals';
import { readableInTurns } from '../sealing/unreadable';

/** A row of payment_conflicts, with the accepted report of the same payment. */
interface Conflict {
  readonly key: PaymentKey;
  readonly conflict: PaymentConflictRow;
  readonly taken: Completion | undefined;
}

/** A disagreement as the operator sees it. It tells whether reasons or attributes differ, never their content. */
export async function disagreementFrom(box: SecretCipher, { key, conflict, taken }: Conflict): Promise<NotedDisagreement> {
  const report = await readableInTurns(async () =>
    completionFrom(box.open(conflict.completion, conflictSealContext(key, conflict.report_digest))),
  );
  const { resolved_at: at, resolved_by: by, resolved_reason: reason } = conflict;
  return {
    id: conflict.report_digest.toString('hex'),
    kind: conflict.kind,
    word: report?.word,
    differsIn: taken && report ? differences(taken, report) : ['payment_status'],
    requestId: conflict.request_id,
    at: conflict.at.getTime(),
    resolved: at === null ? undefined : { at: at.getTime(), by: by ?? '', reason: reason ?? '' },
  };
}

function differences(taken: Completion, report: Completion): ReportDifference[] {
  const equal: Record<ReportDifference, boolean> = {
    payment_status: taken.word === report.word,
    payment_fail_reason: taken.failReason === report.failReason,
    custom_attributes: jsonEquals(taken.customAttributes, report.customAttributes),
  };
  return (Object.keys(equal) as ReportDifference[]).filter((member) => !equal[member]);
}
