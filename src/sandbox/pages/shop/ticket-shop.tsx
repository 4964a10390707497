import { useState } from 'react';
import { BackEndRefused } from '../own-back-end';
import { amountOf, type Cents } from './fares';
import { createPayment, webhookSays } from './shop-back-end';
import { payOnSheet } from './shop-sdk';
import type { Purchase } from './purchase';
import { TicketCard } from './ticket-card';
import { TripForm } from './trip-form';

const webhookWithinMs = 8000;
const lookEveryMs = 250;

/** What a signed-in user sees: a trip to choose, and the ticket that came of it. */
export function TicketShop({ session }: { readonly session: string }) {
  const [purchase, setPurchase] = useState<Purchase>();
  const [busy, setBusy] = useState(false);
  const buy = async (passengers: number, cents: Cents): Promise<void> => {
    const [amount, reference] = [amountOf(passengers, cents), `SKF-${Date.now().toString(36).toUpperCase()}`];
    setBusy(true);
    setPurchase(undefined);
    try {
      const payment = await createPayment({ passengers, amount, reference });
      const said = await payOnSheet({ payment, amount, reference });
      setPurchase({ payment, amount, reference, passengers, status: 'in_process' });
      setBusy(false);
      // The page's word is no proof: the ticket waits for what the webhook brings.
      const status = said === 'in_process' ? 'in_process' : await proven(payment);
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

/** What the webhook says, once it does; where it stays away, the payment is in process. */
async function proven(payment: string): Promise<string> {
  const until = Date.now() + webhookWithinMs;
  for (;;) {
    const status = await webhookSays(payment);
    if (status !== null || Date.now() > until) return status ?? 'in_process';
    await new Promise((resolve) => window.setTimeout(resolve, lookEveryMs));
  }
}
