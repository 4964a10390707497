import type { DataSource } from 'typeorm';
import type { AuditEntry } from '../../../domain/partners/ports';
import type { Mute, MuteBook, ProblemKey } from '../../../domain/problems/ports';
import { appendAudit } from './audit-statement';
import type { MutedProblemRow } from './muted-problem.schema';
import { run, runIn, transaction, type Statement } from './statement';

const key = 'error_code, failed_side, failed_step, client_id, app_id';

const list: Statement = {
  name: 'muted-problems.list',
  text: `select ${key}, actor, reason, at from muted_problems order by at desc limit 1000`,
};

const put: Statement = {
  name: 'muted-problems.put',
  text: `
    insert into muted_problems (${key}, actor, reason, at) values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (${key}) do update set actor = excluded.actor, reason = excluded.reason, at = excluded.at`,
};

const remove: Statement = {
  name: 'muted-problems.remove',
  text: `
    delete from muted_problems
    where error_code = $1 and failed_side = $2 and failed_step = $3 and client_id = $4 and app_id = $5 returning 1`,
};

/** Muted problems in Postgres. Each change is one transaction with its audit row. */
export class PostgresMuteBook implements MuteBook {
  constructor(private readonly db: DataSource) {}

  async list(): Promise<readonly Mute[]> {
    return (await run<MutedProblemRow>(this.db, list, [])).map(muteFrom);
  }

  async mute({ actor, reason, at, ...problem }: Mute, audit: AuditEntry): Promise<void> {
    await transaction(this.db, async (manager) => {
      await runIn(manager, put, [...keyValues(problem), actor, reason, new Date(at)]);
      await appendAudit(manager, audit);
    });
  }

  unmute(problem: ProblemKey, audit: AuditEntry): Promise<boolean> {
    return transaction(this.db, async (manager) => {
      const removed = await runIn(manager, remove, keyValues(problem));
      if (removed.length > 0) await appendAudit(manager, audit);
      return removed.length > 0;
    });
  }
}

const keyValues = ({ errorCode, failedSide = '', failedStep = '', clientId = '', appId = '' }: ProblemKey): string[] => [
  ...[errorCode, failedSide, failedStep, clientId, appId],
];

const said = (text: string): string | undefined => (text === '' ? undefined : text);

const muteFrom = (row: MutedProblemRow): Mute => ({
  errorCode: row.error_code,
  failedSide: said(row.failed_side),
  failedStep: said(row.failed_step),
  clientId: said(row.client_id),
  appId: said(row.app_id),
  actor: row.actor,
  reason: row.reason,
  at: row.at.getTime(),
});
