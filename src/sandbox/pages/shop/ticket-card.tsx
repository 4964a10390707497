import { useState } from 'react';
import type { Purchase } from './purchase';
import { TicketActions } from './ticket-actions';

const words: Readonly<Record<string, string>> = {
  paid: 'Paid, as the webhook says',
  failed: 'Declined, as the webhook says',
  cancelled: 'Cancelled, as the webhook says',
  in_process: 'Being processed',
  refused: 'The payment could not be opened',
};

/** The result of a purchase, and the actions on it. */
export function TicketCard({ purchase }: { readonly purchase: Purchase }) {
  const [status, setStatus] = useState(purchase.status);
  const { payment, amount, reference, passengers, problem } = purchase;
  return (
    <section className="card ticket" data-status={status} data-payment={payment}>
      <div className="stub">
        <div>
          <strong>{words[status] ?? status}</strong>
          <span>{passengers} × Harbour Pier – Skerry Island</span>
          <span>
            USD {amount} · <code>{reference}</code>
          </span>
        </div>
        <span className="seal" aria-hidden="true">
          {status === 'paid' ? '✓' : status === 'in_process' ? '…' : '×'}
        </span>
      </div>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <TicketActions purchase={purchase} status={status} onStatus={setStatus} />
    </section>
  );
}
