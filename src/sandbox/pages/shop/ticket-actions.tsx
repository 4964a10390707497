import { useState } from 'react';
import type { Purchase } from './purchase';
import { pollStatus, sendEvent } from './shop-back-end';
import { shareTicket } from './shop-sdk';

interface TicketActionsProps {
  readonly purchase: Purchase;
  readonly status: string;
  readonly onStatus: (status: string) => void;
}

/** Actions on a ticket: share it, send an event, or read the payment's status. */
export function TicketActions({ purchase, status, onStatus }: TicketActionsProps) {
  const [message, setMessage] = useState('');
  const { payment, reference, passengers } = purchase;
  const run = (action: Promise<unknown>, done: string): void => {
    action.then(
      () => setMessage(done),
      (error: unknown) => setMessage(error instanceof Error ? error.message : 'That did not work'),
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
          <button type="button" onClick={() => run(pollStatus(payment).then(onStatus), '')}>
            Ask again
          </button>
        )}
      </div>
      <p className="said" role="status">
        {message}
      </p>
    </>
  );
}
