import { useState } from 'react';
import { BackEndRefused } from '../own-back-end';
import { amountOf, type Cents } from './fares';
import { createPayment, webhookStatus } from './shop-back-end';
import { payOnSheet } from './shop-sdk';
import type { Purchase } from './purchase';
import { TicketCard } from './ticket-card';
import { TripForm } from './trip-form';

const webhookWithinMs = 8000;
const pollEveryMs = 250;

/** The view of a signed-in user: choose a trip, and see the ticket. */
export function TicketShop({ session }: { readonly session: string }) {
  const [purchase, setPurchase] = useState<Purchase>();
  const [busy, setBusy] = useState(false);
  const buy = async (passengers: number, cents: Cents): Promise<void> => {
    const [amount, reference] = [amountOf(passengers, cents), `SKF-${Date.now().toString(36).toUpperCase()}`];
    setBusy(true);
    setPurchase(undefined);
    try {
      const payment = await createPayment({ passengers, amount, reference });
      const shown = await payOnSheet({ payment, amount, reference });
      setPurchase({ payment, amount, reference, passengers, status: 'in_process' });
      setBusy(false);
      // The page's result is no proof: the ticket waits for the webhook.
      const status = shown === 'in_process' ? 'in_process' : await proven(payment);
      setPurchase({ payment, amount, reference, passengers, status });
    } catch (error) {
      const problem = error instanceof BackEndRefused ? `${error.code}: ${error.message}` : 'The payment sheet did not open';
      setPurchase({ payment: '', amount, reference, passengers, status: 'refused', problem });
    }
    setBusy(false);
  };
  return (
    <>
      <p className="signed" data-session={session.slice(0, 8)}>
        <span aria-hidden="true">✓</span> Signed in with Harbour
      </p>
      <TripForm busy={busy} onBuy={(passengers, cents) => void buy(passengers, cents)} />
      {purchase && <TicketCard key={purchase.reference + purchase.status} purchase={purchase} />}
    </>
  );
}

/** Waits for the status from the webhook. Without one in time, the payment counts as in process. */
async function proven(payment: string): Promise<string> {
  const until = Date.now() + webhookWithinMs;
  for (;;) {
    const status = await webhookStatus(payment);
    if (status !== null || Date.now() > until) return status ?? 'in_process';
    await new Promise((resolve) => window.setTimeout(resolve, pollEveryMs));
  }
}
