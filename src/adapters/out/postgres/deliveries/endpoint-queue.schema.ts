import { EntitySchema } from 'typeorm';

/** A row of endpoint_queues: an endpoint that failed and has accepted nothing since, that is recovering, or that is paused. */
export interface EndpointQueueRow {
  queue: string;
  /** The number of failures in a row. */
  failures: number;
  /** After repeated failures: only probes are attempted until it recovers. */
  circuit_open: boolean;
  /** When the trouble began. */
  since: Date;
  /** When the endpoint began to recover; since then its pending deliveries are attempted again. Null: not recovering. */
  recovering_since: Date | null;
  probe_at: Date;
  /** When an operator paused it; null: not paused. */
  paused_at: Date | null;
  paused_by: string | null;
  paused_reason: string | null;
}

export const endpointQueueSchema = new EntitySchema<EndpointQueueRow>({
  name: 'EndpointQueue',
  tableName: 'endpoint_queues',
  columns: {
    queue: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'endpoint_queues_pkey' },
    failures: { type: 'integer' },
    circuit_open: { type: 'boolean', default: false },
    since: { type: 'timestamptz', default: () => 'now()' },
    recovering_since: { type: 'timestamptz', nullable: true },
    probe_at: { type: 'timestamptz' },
    paused_at: { type: 'timestamptz', nullable: true },
    paused_by: { type: 'text', nullable: true },
    paused_reason: { type: 'text', nullable: true },
  },
  indices: [{ name: 'endpoint_queues_by_time', columns: ['probe_at'] }],
});
