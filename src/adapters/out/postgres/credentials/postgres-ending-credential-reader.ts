import type { DataSource } from 'typeorm';
import type { EndingCredential, EndingCredentialReader, EndingFilter } from '../../../../domain/problems/ports';
import type { CredentialRow } from '../partners/partner.schema';
import { filteredStatement, type Conditions } from '../connection/filtered-statement';
import { run } from '../connection/statement';

const list = {
  select: 'select partner_kind, partner_id, kind, slot, fingerprint, valid_until, last_used_at from partner_credentials',
  end: 'order by valid_until, partner_id, kind limit 100',
};

const conditions: Conditions<EndingFilter> = {
  now: 'valid_until > to_timestamp(?::double precision / 1000)',
  until: 'valid_until <= to_timestamp(?::double precision / 1000)',
  clientId: `partner_kind = 'host-app' and partner_id = ?`,
  appId: `partner_kind = 'miniapp' and partner_id = ?`,
};

type Row = Omit<CredentialRow, 'sealed' | 'public_key' | 'created_at' | 'valid_until'> & { valid_until: Date };

/** Reads when credentials expire, without decrypting any. */
export class PostgresEndingCredentialReader implements EndingCredentialReader {
  constructor(private readonly db: DataSource) {}

  async list(filter: EndingFilter): Promise<readonly EndingCredential[]> {
    const { statement, values } = filteredStatement(list, conditions, filter);
    const rows = await run<Row>(this.db, statement, values);
    return rows.map((row) => ({
      partnerKind: row.partner_kind,
      partnerId: row.partner_id,
      kind: row.kind,
      slot: row.slot,
      fingerprint: row.fingerprint,
      validUntil: row.valid_until.getTime(),
      lastUsedAt: row.last_used_at?.getTime(),
    }));
  }
}
