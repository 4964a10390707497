import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { UserTokenRejected } from '../../../src/domain/partners/partner-errors';
import type { Order } from '../../../src/domain/payments/order-payment';
import type { HostAppPaymentGateway, PayingUser } from '../../../src/domain/payments/ports';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { printJson } from '../../../src/domain/shared/print-json';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { clock } from '../../support/partners/partner-http';
import type { PaymentRecords } from '../../support/payments/payment-records';

export interface PaymentGatewayHarness {
  readonly gateway: HostAppPaymentGateway;
  readonly integration: Integration;
  readonly records: PaymentRecords;
  readonly hostApp: { refuse(code: string): void; garble(): void; vanish(): void; recover(): void };
  close?(): Promise<void>;
}

const relayed = readJsonText(
  '{"currency":"USD","amount":1.10,"__proto__":null,"2":1e2,"1":[12345678901234567.10,"é\\u0001"]}',
) as JsonObject;
export const anOrder: Order = { fields: { currency: 'USD', amount: '1.10' }, relayed };
const mia = (accessToken: string, attempt = 1): PayingUser => ({ reference: 'user-mia', accessToken: new Secret(accessToken), attempt });

const calls = {
  create: ({ gateway, integration }: PaymentGatewayHarness, user?: PayingUser) =>
    gateway.create(aRelay(clock), integration, { order: anOrder, once: 'key 1', user }),
  status: ({ gateway, integration }: PaymentGatewayHarness, user?: PayingUser) =>
    gateway.status(aRelay(clock), integration, { orderPaymentId: 'op-1', user }),
} as const;

const misbehaviours = [
  ['refuses', (h: PaymentGatewayHarness) => h.hostApp.refuse('PROCESS_FAIL'), 'partner-refused', 'PROCESS_FAIL'],
  ['talks nonsense', (h: PaymentGatewayHarness) => h.hostApp.garble(), 'partner-garbled', 'FAILED_TO_PARSE_RESPONSE'],
  ['hangs up', (h: PaymentGatewayHarness) => h.hostApp.vanish(), 'partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR'],
] as const;

/** What payments may rely on, whoever stands behind the port. */
export function hostAppPaymentGatewayContract(name: string, open: () => Promise<PaymentGatewayHarness>): void {
  describe(`HostAppPaymentGateway: ${name}`, () => {
    let harness: PaymentGatewayHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.close?.());

    it('opens a payment for an order that arrives as it came', async () => {
      const { records, integration } = harness;
      expect(await calls.create(harness)).toEqual({ orderPaymentId: 'op-1' });
      expect(records.requests).toEqual([
        { appId: integration.miniapp.id, order: printJson(relayed), idempotencyKey: expect.any(String), userId: undefined },
      ]);
    });

    it('creates one payment for each idempotency key and integration', async () => {
      const { gateway, integration, records } = harness;
      const createOnce = (once: string, of = integration) => gateway.create(aRelay(clock), of, { order: anOrder, once });
      const ids = [
        await createOnce('key 1'),
        await createOnce('key 1'),
        await createOnce('key 2'),
        await createOnce('key 1', { ...integration, id: 'int_2' }),
      ];
      expect(ids.map(({ orderPaymentId }) => orderPaymentId)).toEqual(['op-1', 'op-1', 'op-2', 'op-3']);
      expect(records.requests.map(({ idempotencyKey }) => idempotencyKey)).not.toContain('key 1');
    });

    it('reads how a payment stands', async () => {
      const { records } = harness;
      await calls.create(harness);
      expect(await calls.status(harness)).toEqual({ word: 'in_process' });
      const customAttributes = readJsonText('{"z":1.10,"a":{"__proto__":[null]}}') as JsonObject;
      records.settle('op-1', 'processing', { failReason: 'wêird', customAttributes });
      expect(await calls.status(harness)).toEqual({ word: 'processing', failReason: 'wêird', customAttributes });
      records.settle('op-1', 'paid');
      expect(await calls.status(harness)).toEqual({ word: 'paid' });
    });

    it.each(['PAID', 'refunded', '', 'toString', '__proto__'])('takes %j for no status', async (word) => {
      await calls.create(harness);
      harness.records.mumble('op-1', word);
      await expect(calls.status(harness)).rejects.toMatchObject({ kind: 'partner-garbled', code: 'INVALID_PAYMENT_STATUS_RESPONSE' });
    });

    it('passes on that a payment is not known there', async () => {
      await expect(calls.status(harness)).rejects.toMatchObject({ kind: 'partner-refused', code: 'PAYMENT_NOT_FOUND' });
    });

    it('calls as the user, and distinguishes a rejected token from every other refusal', async () => {
      const { records } = harness;
      records.rejectToken('old');
      for (const call of [calls.create, calls.status]) await expect(call(harness, mia('old'))).rejects.toThrow(UserTokenRejected);
      expect(records.requests).toEqual([]);
      await calls.create(harness, mia('new', 2));
      expect(records.requests).toMatchObject([{ userId: 'user-mia', accessToken: 'new' }]);
      expect(await calls.status(harness, mia('new', 2))).toEqual({ word: 'in_process' });
    });

    describe.each(Object.keys(calls) as (keyof typeof calls)[])('at step %s', (step) => {
      it.each(misbehaviours)('says so when the host app %s, and works again afterwards', async (_how, misbehave, kind, code) => {
        misbehave(harness);
        const attempt = calls[step](harness);
        await expect(attempt).rejects.toMatchObject({ kind, code, details: { side: 'hostapp', step } });
        await expect(attempt).rejects.not.toBeInstanceOf(UserTokenRejected);
        harness.hostApp.recover();
        expect(await calls.create(harness)).toEqual({ orderPaymentId: 'op-1' });
      });
    });
  });
}
