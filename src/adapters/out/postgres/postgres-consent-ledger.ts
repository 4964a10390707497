import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { ConsentEntry, ConsentKey } from '../../../domain/sso/consent';
import type { ConsentLedger } from '../../../domain/sso/ports';
import { consentColumns, consentDigest, ledgerPlace, recordConsent } from './consent-statement';
import { consentEntryFrom, type ConsentLedgerRow, type ConsentRow } from './consent.schema';
import type { ReferenceIndex } from './reference-index';
import { openText } from './sealed-text';
import { run, type Statement } from './statement';

const isGranted: Statement = {
  name: 'consents.is-granted',
  text: 'select granted from consents where integration_id = $1 and reference_digest = $2',
};

const entries: Statement = {
  name: 'consents.entries',
  text: `
    select reference, granted, fields, text_version, call, request_id, at, integration_id, reference_digest
    from consent_ledger where integration_id = $1 and reference_digest = $2 order by id`,
};

/** Consents in Postgres: the present state beside a ledger of its changes, references sealed. */
export class PostgresConsentLedger implements ConsentLedger {
  constructor(private readonly deps: { db: DataSource; box: SecretBox; index: ReferenceIndex }) {}

  async isGranted(key: ConsentKey): Promise<boolean> {
    const [row] = await run<Pick<ConsentRow, 'granted'>>(this.deps.db, isGranted, [key.integrationId, this.digestOf(key)]);
    return row?.granted ?? false;
  }

  async record(entry: ConsentEntry): Promise<void> {
    await run(this.deps.db, recordConsent, consentColumns(entry, this.deps));
  }

  async entries(key: ConsentKey): Promise<readonly ConsentEntry[]> {
    const digest = this.digestOf(key);
    const rows = await run<Omit<ConsentLedgerRow, 'id'>>(this.deps.db, entries, [key.integrationId, digest]);
    const place = ledgerPlace(key.integrationId, digest);
    return rows.map((row) => consentEntryFrom(row, openText(this.deps.box, row.reference, place)));
  }

  private digestOf(key: ConsentKey): Buffer {
    return consentDigest(this.deps.index, key);
  }
}
