import type { DataSource } from 'typeorm';
import { laneRules, laneStateOf, type LanePause, type LaneRecord } from '../../../domain/deliveries/lane';
import type { LaneBook } from '../../../domain/deliveries/ports';
import type { AuditEntry, PageRequest } from '../../../domain/partners/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { appendAudit } from './audit-statement';
import type { LaneRow } from './delivery-lane.schema';
import { laneNamesAfter, laneRecovers, lockLane, pauseLane, resumeLane, waitingIn } from './lane-statements';
import { run, runIn, transaction } from './statement';

type Row = Pick<LaneRow, 'lane' | 'paused_at' | 'paused_by' | 'paused_reason'> & {
  [Column in 'failures' | 'closed' | 'released_at' | 'look_at']: LaneRow[Column] | null;
} & { waiting: number; oldest: Date | null };

/** The lanes as the operator sees them, in Postgres. */
export class PostgresLaneBook implements LaneBook {
  constructor(private readonly db: DataSource) {}

  async list({ limit, after = '' }: PageRequest): Promise<readonly LaneRecord[]> {
    const names = await run<{ lane: string }>(this.db, laneNamesAfter, [after, limit]);
    return this.records(names.map(({ lane }) => lane));
  }

  async find(lane: string): Promise<LaneRecord | undefined> {
    requireIds({ lane });
    const record = await this.record(lane);
    return record.state === 'clear' && record.waiting === 0 ? undefined : record;
  }

  async release(lane: string, audit: (before: LaneRecord) => AuditEntry): Promise<LaneRecord | undefined> {
    requireIds({ lane });
    const before = await this.find(lane);
    if (!before || before.state === 'clear' || before.state === 'paused') return undefined;
    await transaction(this.db, async (manager) => {
      const locked = await runIn(manager, lockLane, [lane]);
      if (locked.length === 0) return;
      await runIn(manager, laneRecovers, [lane]);
      await appendAudit(manager, audit(before));
    });
    return (await this.find(lane)) ?? { ...before, state: 'clear', failures: 0, waiting: 0, oldest: undefined, nextLookAt: undefined };
  }

  async pause(lane: string, { by, reason }: Omit<LanePause, 'at'>, audit: (before: LaneRecord) => AuditEntry): Promise<LaneRecord> {
    requireIds({ lane });
    const before = await this.record(lane);
    await transaction(this.db, async (manager) => {
      await runIn(manager, pauseLane, [lane, by, reason]);
      await appendAudit(manager, audit(before));
    });
    return this.record(lane);
  }

  async resume(lane: string, audit: (before: LaneRecord) => AuditEntry): Promise<LaneRecord | undefined> {
    requireIds({ lane });
    const before = await this.record(lane);
    const isResumed = await transaction(this.db, async (manager) => {
      if ((await runIn(manager, resumeLane, [lane])).length === 0) return false;
      await appendAudit(manager, audit(before));
      return true;
    });
    return isResumed ? this.record(lane) : undefined;
  }

  private async record(lane: string): Promise<LaneRecord> {
    const [record] = await this.records([lane]);
    return record ?? { lane, state: 'clear', failures: 0, waiting: 0 };
  }

  private async records(names: readonly string[]): Promise<readonly LaneRecord[]> {
    if (names.length === 0) return [];
    return (await run<Row>(this.db, waitingIn, [names, laneRules.counted])).map(recordFrom);
  }
}

const recordFrom = (row: Row): LaneRecord => ({
  lane: row.lane,
  state: laneStateOf(
    row.closed === null ? undefined : { closed: row.closed, released: row.released_at !== null, paused: row.paused_at !== null },
  ),
  failures: row.failures ?? 0,
  waiting: row.waiting,
  oldest: row.oldest?.getTime(),
  nextLookAt: row.paused_at === null ? row.look_at?.getTime() : undefined,
  paused: row.paused_at === null ? undefined : { at: row.paused_at.getTime(), by: row.paused_by ?? '', reason: row.paused_reason ?? '' },
});
