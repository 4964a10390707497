import { useState } from 'react';
import type { Purchase } from './purchase';
import { askStatus, sendEvent } from './shop-back-end';
import { shareTicket } from './shop-sdk';

interface TicketDeedsProps {
  readonly purchase: Purchase;
  readonly status: string;
  readonly onStatus: (status: string) => void;
}

/** What can be done with a ticket: told to the host page, told to the host app's back end, or asked about. */
export function TicketDeeds({ purchase, status, onStatus }: TicketDeedsProps) {
  const [said, setSaid] = useState('');
  const { payment, reference, passengers } = purchase;
  const run = (deed: Promise<unknown>, done: string): void => {
    deed.then(
      () => setSaid(done),
      (error: unknown) => setSaid(error instanceof Error ? error.message : 'That did not work'),
    );
  };
  const booking = { ticket: reference, passengers, departure: '09:40' };
  return (
    <>
      <div className="deeds">
        {status === 'paid' && (
          <>
            <button type="button" onClick={() => run(shareTicket(`Ticket ${reference} was shared`), 'Shared through the host app')}>
              Share
            </button>
            <button type="button" onClick={() => run(sendEvent('ticket.booked', booking), 'The host app was told')}>
              Add to calendar
            </button>
          </>
        )}
        {status === 'in_process' && payment !== '' && (
          <button type="button" onClick={() => run(askStatus(payment).then(onStatus), '')}>
            Ask again
          </button>
        )}
      </div>
      <p className="said" role="status">
        {said}
      </p>
    </>
  );
}
