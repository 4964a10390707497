import { useEffect, useState } from 'react';
import { callBackEnd } from '../../own-back-end';

/** A payment in the host app's records. */
export interface HeldPayment {
  readonly order_payment_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly payment_status: string;
}

/** A message that a back end received; repeats are included. */
export interface HeldMessage {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly webhook_id?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The records of the two simulated back ends. */
export interface Records {
  readonly payments: readonly HeldPayment[];
  readonly hostEvents: readonly HeldMessage[];
  readonly webhooks: readonly HeldMessage[];
  readonly shopEvents: readonly HeldMessage[];
}

const everyMs = 1500;

/** Polls while they are shown; `undefined` before the first read. */
export function usePartnerRecords(): Records | undefined {
  const [records, setRecords] = useState<Records>();
  useEffect(() => {
    let open = true;
    const read = async (): Promise<void> => {
      const [payments, hostEvents, webhooks, shopEvents] = await Promise.all([
        newest<HeldPayment>('/sandbox/payments'),
        newest<HeldMessage>('/sandbox/events'),
        newest<HeldMessage>('/sandbox/miniapp/webhooks'),
        newest<HeldMessage>('/sandbox/miniapp/events'),
      ]);
      if (open) setRecords({ payments, hostEvents, webhooks, shopEvents });
    };
    const poll = (): void => void read().catch(() => undefined); // the next poll may succeed
    poll();
    const timer = window.setInterval(poll, everyMs);
    return () => {
      open = false;
      window.clearInterval(timer);
    };
  }, []);
  return records;
}

const shown = 12;

async function newest<Entry>(path: string): Promise<readonly Entry[]> {
  const { data } = await callBackEnd<{ data: readonly Entry[] }>('GET', path);
  return data.slice(-shown).reverse();
}
