import type { DueDelivery } from '../../../src/domain/deliveries/delivery';
import { queueOfCompletion } from '../../../src/domain/deliveries/endpoint-queue';
import type { DeliveryDispatch } from '../../../src/domain/deliveries/ports';
import type { Completion, OrderPayment, PaymentWord, Settlement } from '../../../src/domain/payments/order-payment';
import type { KeptSettlement } from '../../../src/domain/payments/ports';
import { settleAndDeliver } from '../../../src/domain/payments/settle-and-deliver';

const key = { integrationId: 'int_1', orderPaymentId: 'op-1' };
const report = (word: PaymentWord): Completion => ({
  clientId: 'host_1',
  appId: 'app_1',
  orderPaymentId: 'op-1',
  word,
  requestId: 'r',
  at: 1,
});
const queue = queueOfCompletion(report('paid'));
const open: OrderPayment = { id: 'pay_1', ...key, status: 'in_process', createdAt: 1 };

/** Storage that claims where it is asked to, unless an endpoint is in trouble; it notes what happens, as do the slots. */
function fixture({
  stored = open,
  isFailing = false,
  free = 1,
  fault,
}: { stored?: OrderPayment; isFailing?: boolean; free?: number; fault?: Error } = {}) {
  const events: string[] = [];
  let slots = free;
  const claimOf = ({ id }: OrderPayment): DueDelivery => ({ id, queue }) as DueDelivery;
  const settle = async (
    _key: unknown,
    change: (payment: OrderPayment) => Settlement,
    { claimForMs }: { claimForMs?: number | undefined } = {},
  ): Promise<KeptSettlement> => {
    const settlement = change(stored);
    if (fault) throw fault;
    events.push(settlement.outcome);
    const isClaimed = settlement.outcome === 'settled' && claimForMs === 20_000 && !isFailing;
    return { ...settlement, ...(isClaimed && { claimed: claimOf(stored) }) };
  };
  const dispatch: DeliveryDispatch = {
    reserve: (of) => {
      if (slots === 0) return undefined;
      slots--;
      events.push(`reserve ${of}`);
      let isOpen = true;
      return {
        leaseMs: 20_000,
        begin: ({ id }) => {
          isOpen = false;
          events.push(`begin ${id}`);
        },
        release: () => {
          if (isOpen) slots++;
          isOpen = false;
        },
      };
    },
  };
  const notifier = { notify: (of?: string) => void events.push(`ring ${String(of)}`) };
  return { deps: { payments: { settle }, dispatch, notifier }, events, free: () => slots };
}

it('reserves a slot, settles, and begins the delivery in that slot after the commit', async () => {
  const { deps, events, free } = fixture();
  expect((await settleAndDeliver(deps, key, report('paid'))).outcome).toBe('settled');
  expect(events).toEqual([`reserve ${queue}`, 'settled', 'begin pay_1']);
  expect(free()).toBe(0);
});

it('leaves the delivery to the next claim if no slot is free or the process delivers nothing', async () => {
  const full = fixture({ free: 0 });
  await settleAndDeliver(full.deps, key, report('paid'));
  expect(full.events).toEqual(['settled', `ring ${queue}`]);
  const { deps, events } = fixture();
  await settleAndDeliver({ payments: deps.payments, notifier: deps.notifier }, key, report('paid'));
  expect(events).toEqual(['settled', `ring ${queue}`]);
});

it('frees the slot where the endpoint is in trouble', async () => {
  const { deps, events, free } = fixture({ isFailing: true });
  await settleAndDeliver(deps, key, report('paid'));
  expect(events.slice(1)).toEqual(['settled', `ring ${queue}`]);
  expect(free()).toBe(1);
});

it('frees the slot and notifies no worker if the report settles nothing', async () => {
  const { deps, events, free } = fixture({ stored: { ...open, status: 'paid', completion: report('paid') } });
  expect((await settleAndDeliver(deps, key, report('failed'))).outcome).toBe('refused');
  expect(events.slice(1)).toEqual(['refused']);
  expect(free()).toBe(1);
});

it('reserves nothing for a word that is not final', async () => {
  const { deps, events } = fixture();
  await settleAndDeliver(deps, key, report('processing'));
  expect(events).toEqual(['noted']);
});

it('frees the slot if the result could not be stored', async () => {
  const fault = new Error('away');
  const { deps, free } = fixture({ fault });
  await expect(settleAndDeliver(deps, key, report('paid'))).rejects.toBe(fault);
  expect(free()).toBe(1);
});
