import type { DataSource } from 'typeorm';
import type { EndingCredential, EndingCredentials } from '../../../domain/problems/ports';
import type { CredentialRow } from './partners/partner.schema';
import { run, type Statement } from './statement';

const list: Statement = {
  name: 'partner-credentials.ending',
  text: `
    select partner_kind, partner_id, kind, slot, fingerprint, valid_until, last_used_at from partner_credentials
    where valid_until > $1 and valid_until <= $2 order by valid_until, partner_id, kind limit 100`,
};

type Row = Omit<CredentialRow, 'sealed' | 'public_key' | 'created_at' | 'valid_until'> & { valid_until: Date };

/** Reads when credentials end; opens none of them. The table has a few rows for each partner. */
export class PostgresEndingCredentials implements EndingCredentials {
  constructor(private readonly db: DataSource) {}

  async list(now: number, until: number): Promise<readonly EndingCredential[]> {
    const rows = await run<Row>(this.db, list, [new Date(now), new Date(until)]);
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
