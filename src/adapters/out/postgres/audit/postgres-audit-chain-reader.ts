import type { DataSource } from 'typeorm';
import type { AuditBreak, AuditChainReader, AuditMark, AuditVerdict } from '../../../../domain/partners/audit-chain';
import type { AuditHeadRow } from './audit-entry.schema';
import { auditHash, firstPreviousHash, type HashedRow } from './audit-hash';
import { run, type Statement } from '../connection/statement';

const pageSize = 1000;

const findHead: Statement = { name: 'audit.head', text: 'select last_id, hash, entries from audit_head where last_id > 0' };

const page: Statement = {
  name: 'audit.chain-page',
  text: `
    select previous_hash, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor, action, subject,
      before::text as before, after::text as after, request_id, hash
    from audit_log where id > $1 order by id limit ${String(pageSize)}`,
};

type Head = Pick<AuditHeadRow, 'last_id' | 'hash' | 'entries'>;

/**
 * Verifies the audit trail's hash chain in Postgres. Hashes are computed in this process, page by page; entries may be appended meanwhile.
 */
export class PostgresAuditChainReader implements AuditChainReader {
  constructor(private readonly db: DataSource) {}

  async head(): Promise<AuditMark | undefined> {
    const head = await this.readHead();
    return head && { id: head.last_id, hash: head.hash };
  }

  async verify(kept?: AuditMark): Promise<AuditVerdict> {
    const walk = new Walk([await this.readHead(), kept]);
    for (;;) {
      const rows = await run<HashedRow & AuditMark>(this.db, page, [walk.lastId]);
      for (const row of rows) if (!walk.passes(row)) return walk.verdict();
      if (rows.length < pageSize) break;
    }
    // Reads the head after the entries, so that it covers entries appended meanwhile.
    return walk.end(await this.readHead());
  }

  private async readHead(): Promise<Head | undefined> {
    return (await run<Head>(this.db, findHead, []))[0];
  }
}

/** The progress of a walk along the chain. */
class Walk {
  private entries = 0;
  private last: AuditMark | undefined;
  private broken: AuditVerdict['broken'];
  /** Marks not yet reached: the head at the start, and a mark that was kept earlier. */
  private ahead: readonly { readonly mark: AuditMark; readonly entries?: number; readonly how: AuditBreak }[];

  constructor([head, kept]: readonly [Head | undefined, AuditMark | undefined]) {
    this.ahead = [
      ...(kept ? [{ mark: kept, how: 'not-as-kept' as const }] : []),
      ...(head ? [{ mark: { id: head.last_id, hash: head.hash }, entries: Number(head.entries), how: 'not-the-last' as const }] : []),
    ];
  }

  get lastId(): string {
    return this.last?.id ?? '0';
  }

  /** Advances to an entry. False: the chain is broken there or before it. */
  passes(row: HashedRow & AuditMark): boolean {
    const { id, hash } = row;
    const missed = this.ahead.find(({ mark }) => BigInt(mark.id) < BigInt(id));
    if (missed) return this.breakAt(missed.mark.id, missed.how);
    if (row.previous_hash !== (this.last?.hash ?? firstPreviousHash)) return this.breakAt(id, 'out-of-chain');
    if (auditHash(row) !== hash) return this.breakAt(id, 'changed');
    for (const { mark, entries, how } of this.ahead.filter(({ mark }) => mark.id === id)) {
      if (mark.hash !== hash || (entries !== undefined && entries !== this.entries + 1)) return this.breakAt(id, how);
    }
    this.ahead = this.ahead.filter(({ mark }) => mark.id !== id);
    this.last = { id, hash };
    this.entries += 1;
    return true;
  }

  /** Ends the walk. `head` is the last entry as the database records it by now. */
  end(head: Head | undefined): AuditVerdict {
    const [missed] = this.ahead;
    if (missed) this.breakAt(missed.mark.id, missed.how);
    else if (this.last && BigInt(head?.last_id ?? 0) < BigInt(this.last.id)) this.breakAt(this.last.id, 'not-the-last');
    return this.verdict();
  }

  verdict(): AuditVerdict {
    return { entries: this.entries, ...(this.last && { last: this.last }), ...(this.broken && { broken: this.broken }) };
  }

  private breakAt(id: string, how: AuditBreak): false {
    this.broken = { id, how };
    return false;
  }
}
