import { EntitySchema } from 'typeorm';

/** A row of polled_host_apps: limits the polls of a host app's payments. */
export interface PolledHostAppRow {
  client_id: string;
  /** The number of failed connections in a row. */
  failures: number;
  backoff_until: Date | null;
  /** When polls may begin again. */
  turn_at: Date;
  /** The polls per second that the host app can handle, as far as is known. */
  polls_per_second: number;
  /** How often the host app was in trouble so far. */
  troubles: number;
}

export const polledHostAppSchema = new EntitySchema<PolledHostAppRow>({
  name: 'AskedHostApp',
  tableName: 'polled_host_apps',
  columns: {
    client_id: { type: 'text', collation: 'C', primary: true, primaryKeyConstraintName: 'polled_host_apps_pkey' },
    failures: { type: 'integer' },
    backoff_until: { type: 'timestamptz', nullable: true },
    turn_at: { type: 'timestamptz' },
    polls_per_second: { type: 'double precision', default: 10 },
    troubles: { type: 'integer', default: 0 },
  },
});
