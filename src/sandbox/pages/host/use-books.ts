import { useEffect, useState } from 'react';
import { ask } from '../own-back-end';

/** A payment in the host app's books. */
export interface HeldPayment {
  readonly order_payment_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly payment_status: string;
}

/** A message that a back end received, as often as it came. */
export interface HeldMessage {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly webhook_id?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the two simulated back ends hold. */
export interface Books {
  readonly payments: readonly HeldPayment[];
  readonly hostEvents: readonly HeldMessage[];
  readonly webhooks: readonly HeldMessage[];
  readonly shopEvents: readonly HeldMessage[];
}

const everyMs = 1500;

/** Read again and again while they are shown; `undefined`: not read yet. */
export function useBooks(): Books | undefined {
  const [books, setBooks] = useState<Books>();
  useEffect(() => {
    let open = true;
    const read = async (): Promise<void> => {
      const [payments, hostEvents, webhooks, shopEvents] = await Promise.all([
        newest<HeldPayment>('/sandbox/payments'),
        newest<HeldMessage>('/sandbox/events'),
        newest<HeldMessage>('/sandbox/miniapp/webhooks'),
        newest<HeldMessage>('/sandbox/miniapp/events'),
      ]);
      if (open) setBooks({ payments, hostEvents, webhooks, shopEvents });
    };
    const look = (): void => void read().catch(() => undefined); // the next look may fare better
    look();
    const timer = window.setInterval(look, everyMs);
    return () => {
      open = false;
      window.clearInterval(timer);
    };
  }, []);
  return books;
}

const shown = 12;

async function newest<Entry>(path: string): Promise<readonly Entry[]> {
  const { data } = await ask<{ data: readonly Entry[] }>('GET', path);
  return data.slice(-shown).reverse();
}
