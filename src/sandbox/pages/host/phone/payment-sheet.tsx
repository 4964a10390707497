import { Button } from '@mantine/core';
import { useState } from 'react';
import { callBackEnd, BackEndRefused } from '../../own-back-end';
import type { RecordedPayment } from './open-miniapp';
import styles from './payment-sheet.module.css';
import { Sheet } from './sheet';

interface PaymentSheetProps {
  readonly payment: RecordedPayment;
  readonly onDone: (payment: RecordedPayment) => void;
}

/** The host app's payment sheet: shows the recorded amount, and lets the user pay or cancel. */
export function PaymentSheet({ payment, onDone }: PaymentSheetProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const act = async (action: 'pay' | 'cancel'): Promise<void> => {
    setBusy(true);
    try {
      onDone(await callBackEnd<RecordedPayment>('POST', `/sandbox/payments/${payment.order_payment_id}/${action}`));
    } catch (error) {
      setProblem(error instanceof BackEndRefused ? `${error.code}: ${error.message}` : 'The host app did not answer');
      setBusy(false);
    }
  };
  return (
    <Sheet title="Pay Skerry Ferries" onDismiss={() => void act('cancel')}>
      <p className={styles.amount}>
        <span className={styles.currency}>{payment.currency}</span> {payment.amount}
      </p>
      <div className={styles.card}>
        <span className={styles.chip} aria-hidden="true" />
        <span>
          Harbour Wallet
          <br />
          <small>Simulated card ···· 4242</small>
        </span>
      </div>
      {problem !== '' && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Button fullWidth size="md" radius="xl" data-autofocus loading={busy} onClick={() => void act('pay')}>
        Pay {payment.currency} {payment.amount}
      </Button>
      <Button fullWidth size="md" radius="xl" mt={8} variant="subtle" disabled={busy} onClick={() => void act('cancel')}>
        Cancel
      </Button>
    </Sheet>
  );
}
