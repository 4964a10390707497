import { EntitySchema } from 'typeorm';

/** A row of delivery_lanes: an endpoint that failed and has received nothing since, or whose lane is being released. */
export interface LaneRow {
  lane: string;
  /** In a row. */
  failures: number;
  /** It failed so often that only probes and released deliveries are attempted. */
  closed: boolean;
  /** Of the trouble. */
  since: Date;
  /** Since when what waits is released, as the endpoint is back. */
  released_at: Date | null;
  look_at: Date;
  /** Since when nothing is attempted, as somebody wants it so; null: nobody does. */
  paused_at: Date | null;
  paused_by: string | null;
  paused_reason: string | null;
}

export const deliveryLaneSchema = new EntitySchema<LaneRow>({
  name: 'DeliveryLane',
  tableName: 'delivery_lanes',
  columns: {
    lane: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'delivery_lanes_pkey' },
    failures: { type: 'integer' },
    closed: { type: 'boolean', default: false },
    since: { type: 'timestamptz', default: () => 'now()' },
    released_at: { type: 'timestamptz', nullable: true },
    look_at: { type: 'timestamptz' },
    paused_at: { type: 'timestamptz', nullable: true },
    paused_by: { type: 'text', nullable: true },
    paused_reason: { type: 'text', nullable: true },
  },
  indices: [{ name: 'delivery_lanes_by_time', columns: ['look_at'] }],
});
