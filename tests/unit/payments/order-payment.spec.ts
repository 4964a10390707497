import { JsonNumber } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import {
  settle,
  statusOfWord,
  type Completion,
  type OrderPayment,
  type PaymentStatus,
  type PaymentWord,
  type Settlement,
} from '../../../src/domain/payments/order-payment';

const report = (word: PaymentWord, more: Partial<Completion> = {}): Completion => ({
  clientId: 'host_1',
  appId: 'app_1',
  orderPaymentId: 'op-1',
  word,
  requestId: 'req-1',
  at: 1_700_000_000_000,
  ...more,
});

const open: OrderPayment = { id: 'pay-1', integrationId: 'int-1', orderPaymentId: 'op-1', status: 'in_process', createdAt: 1 };
const at = (status: PaymentStatus): OrderPayment => {
  const settlement = settle(open, report(status));
  return settlement.payment;
};

type Outcome = Settlement['outcome'] | 'refused as a conflict';

/** From each state, what each word makes (contract/payments#states). */
const matrix: Record<PaymentStatus, Record<PaymentWord, Outcome>> = {
  in_process: { in_process: 'noted', processing: 'noted', paid: 'settled', cancelled: 'settled', failed: 'settled' },
  paid: {
    in_process: 'refused',
    processing: 'refused',
    paid: 'repeated',
    cancelled: 'refused as a conflict',
    failed: 'refused as a conflict',
  },
  cancelled: {
    in_process: 'refused',
    processing: 'refused',
    paid: 'refused as a conflict',
    cancelled: 'repeated',
    failed: 'refused as a conflict',
  },
  failed: {
    in_process: 'refused',
    processing: 'refused',
    paid: 'refused as a conflict',
    cancelled: 'refused as a conflict',
    failed: 'repeated',
  },
};
const cells = Object.entries(matrix).flatMap(([from, row]) => Object.entries(row).map(([word, outcome]) => [from, word, outcome])) as [
  PaymentStatus,
  PaymentWord,
  Outcome,
][];

describe('settle', () => {
  it.each(cells)('from %s by %s: %s', (from, word, outcome) => {
    const before = at(from);
    const reported = report(word);
    const settlement = settle(before, reported);
    if (outcome === 'settled') {
      const after = { ...before, status: statusOfWord[word], completion: reported };
      const pending = { id: 'pay-1', integrationId: 'int-1', completion: reported };
      expect(settlement).toEqual({ outcome, payment: after, pending });
    } else if (outcome === 'refused as a conflict') {
      expect(settlement).toEqual({ outcome: 'refused', payment: before, disagreement: { kind: 'conflict', report: reported } });
    } else {
      expect(settlement).toEqual({ outcome, payment: before });
    }
    expect(settlement.payment.status).toBe(from === 'in_process' ? statusOfWord[word] : from);
  });

  it('knows every word', () => {
    expect(Object.keys(statusOfWord).sort()).toEqual(['cancelled', 'failed', 'in_process', 'paid', 'processing']);
  });

  it('does not change the record it was given', () => {
    const before = Object.freeze({ ...open });
    settle(before, report('paid'));
    expect(before).toEqual(open);
  });

  describe('of a repeat', () => {
    const first = report('paid', { failReason: 'none', customAttributes: readJsonText('{"a":1,"b":[2.0]}') });
    const paid = settle(open, first).payment;

    it('keeps the first report, whoever repeats it when', () => {
      const again = { ...first, requestId: 'req-2', at: first.at + 1 };
      expect(settle(paid, again)).toEqual({ outcome: 'repeated', payment: paid });
      expect(paid.completion).toBe(first);
    });

    it('takes members in another order as the same', () => {
      const again = { ...first, customAttributes: readJsonText('{"b":[2.0],"a":1}') };
      expect(settle(paid, again)).not.toHaveProperty('disagreement');
    });

    it.each([
      ['another reason', { failReason: 'late' }],
      ['no reason', { failReason: undefined }],
      ['other attributes', { customAttributes: readJsonText('{"a":2,"b":[2.0]}') }],
      ['a number spelt otherwise', { customAttributes: readJsonText('{"a":1,"b":[2]}') }],
      ['no attributes', { customAttributes: undefined }],
      ['attributes of another type', { customAttributes: new JsonNumber('1') }],
    ])('records %s as a difference', (_what, more) => {
      const again = { ...first, ...more };
      expect(settle(paid, again)).toEqual({ outcome: 'repeated', payment: paid, disagreement: { kind: 'difference', report: again } });
    });
  });
});
