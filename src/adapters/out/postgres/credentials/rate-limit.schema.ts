import { EntitySchema } from 'typeorm';

/** A row of rate_limits, as rate-limiter-flexible writes it: `expire` in milliseconds since the epoch. */
export interface RateLimitRow {
  key: string;
  points: number;
  expire: string | null;
}

export const rateLimitSchema = new EntitySchema<RateLimitRow>({
  name: 'RateLimit',
  tableName: 'rate_limits',
  columns: {
    key: { type: 'varchar', length: 255, primary: true, primaryKeyConstraintName: 'rate_limits_pkey' },
    points: { type: 'integer', default: 0 },
    expire: { type: 'bigint', nullable: true },
  },
  indices: [{ name: 'rate_limits_by_expiry', columns: ['expire'] }],
});
