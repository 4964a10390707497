import type { DataSource } from 'typeorm';
import type { AuditEntry } from '../../../../domain/partners/ports';
import type { Mute, MutedProblemRepository, ProblemKey } from '../../../../domain/problems/ports';
import { appendAudit } from '../audit/audit-statement';
import { onConnection, transaction } from '../connection/statement';
import { mutedProblemSchema, type MutedProblemKey, type MutedProblemRow } from './muted-problem.schema';

/** The maximum number of mutes in a list; far more than anybody needs. */
const maxListed = 1000;

/** Muted problems in Postgres. Each change is one transaction with its audit row. */
export class PostgresMutedProblemRepository implements MutedProblemRepository {
  constructor(private readonly db: DataSource) {}

  async list(): Promise<readonly Mute[]> {
    const rows = await onConnection(this.db, (manager) => manager.find(mutedProblemSchema, { order: { at: 'DESC' }, take: maxListed }));
    return rows.map(muteFrom);
  }

  async mute({ actor, reason, at, ...problem }: Mute, audit: AuditEntry): Promise<void> {
    await transaction(this.db, async (manager) => {
      const key = keyOf(problem);
      await manager.upsert(mutedProblemSchema, { ...key, actor, reason, at: new Date(at) }, Object.keys(key));
      await appendAudit(manager, audit);
    });
  }

  unmute(problem: ProblemKey, audit: AuditEntry): Promise<boolean> {
    return transaction(this.db, async (manager) => {
      const { affected } = await manager.delete(mutedProblemSchema, keyOf(problem));
      if (!affected) return false;
      await appendAudit(manager, audit);
      return true;
    });
  }
}

const keyOf = ({ errorCode, failedSide = '', failedStep = '', clientId = '', appId = '' }: ProblemKey): MutedProblemKey => ({
  error_code: errorCode,
  failed_side: failedSide,
  failed_step: failedStep,
  client_id: clientId,
  app_id: appId,
});

const given = (text: string): string | undefined => (text === '' ? undefined : text);

const muteFrom = (row: MutedProblemRow): Mute => ({
  errorCode: row.error_code,
  failedSide: given(row.failed_side),
  failedStep: given(row.failed_step),
  clientId: given(row.client_id),
  appId: given(row.app_id),
  actor: row.actor,
  reason: row.reason,
  at: row.at.getTime(),
});
