import { StoredTable } from './stored-table';
import styles from './panel-cards.module.css';
import { usePartnerRecords, type HeldMessage } from './use-partner-records';

/** The records of the two simulated back ends: they show what they really received. */
export function RecordsPanel() {
  const records = usePartnerRecords();
  if (!records) return null;
  const { payments, hostEvents, webhooks, shopEvents } = records;
  return (
    <div className={styles.panel}>
      <p className={styles.lead}>What arrived at the two back ends, read from their own books. The newest comes first.</p>
      <div className={styles.records}>
        <StoredTable
          title="Host app: payments"
          heads={['Payment', 'Amount', 'Status']}
          rows={payments.map((one) => [one.order_payment_id, `${one.currency} ${one.amount}`, one.payment_status])}
        />
        <StoredTable title="Miniapp: webhook" heads={['Payment', 'At', 'Status']} rows={webhooks.map(completionCells)} />
        <StoredTable title="Host app: events" heads={['Event', 'At', 'Payload']} rows={hostEvents.map(eventCells)} />
        <StoredTable title="Miniapp: events" heads={['Event', 'At', 'Payload']} rows={shopEvents.map(eventCells)} />
      </div>
    </div>
  );
}

const timeOf = (at: number): string => new Date(at).toLocaleTimeString('en-GB');
const textIn = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

const completionCells = ({ at, body }: HeldMessage): string[] => [textIn(body.order_payment_id), timeOf(at), textIn(body.payment_status)];
const eventCells = ({ at, body }: HeldMessage): string[] => [textIn(body.event_type), timeOf(at), textIn(body.payload)];
