import { PostgresAuditChainReader } from '../../adapters/out/postgres/audit/postgres-audit-chain-reader';
import type { Settings } from '../../config/settings';
import type { AuditBreak, AuditChainReader, AuditMark, AuditVerdict } from '../../domain/partners/audit-chain';
import type { Log } from '../../domain/shared/ports';
import { withDatabase } from './with-database';

const meaning: Readonly<Record<AuditBreak, string>> = {
  changed: 'it is not as it was written',
  'out-of-chain': 'it does not follow the entry before it: one was removed, inserted or moved',
  'not-the-last': 'the trail ends elsewhere than where it was last written to: entries were removed, or added past the database',
  'not-as-kept': 'it is not there as it was kept elsewhere: the trail was written anew',
};

/** Verifies the audit trail. `kept`: `id:hash` of an earlier verification. */
export async function verifyAudit(settings: Settings, kept?: string): Promise<AuditVerdict> {
  const mark = kept === undefined ? undefined : markFrom(kept);
  return withDatabase(settings, ({ db }) => new PostgresAuditChainReader(db).verify(mark));
}

/** Logs the last entry of the audit trail, for operators who store the log apart from the database. */
export async function noteAuditHead(chain: AuditChainReader, log: Log): Promise<void> {
  const head = await chain.head();
  if (head) log.info('audit-head', { id: head.id, hash: head.hash });
}

/** The verdict as lines of text. */
export function auditLines({ entries, last, broken }: AuditVerdict): string[] {
  const summary = `${String(entries)} entries${last ? `, the last of them ${last.id}:${last.hash}` : ''}`;
  if (!broken) return [`The audit trail is whole: ${summary}`];
  return [`The audit trail is broken at entry ${broken.id}: ${meaning[broken.how]}`, `Sound before it: ${summary}`];
}

function markFrom(text: string): AuditMark {
  const [, id, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || hash === undefined) throw new Error('What was kept must be id:hash, as a walk or the log has printed it');
  return { id, hash };
}
