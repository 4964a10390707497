import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { ConsentEntry, ConsentKey } from '../../../domain/sso/consent';
import type { ConsentLedger } from '../../../domain/sso/ports';
import { columnParameters } from './array-parameters';
import { consentColumns, consentDigest, ledgerPlace, recordConsent } from './consent-statement';
import { consentEntryFrom, type ConsentLedgerRow } from './consent.schema';
import { GroupedStatements } from './grouped-statements';
import type { ReferenceIndex } from './reference-index';
import { openText } from './sealed-text';
import { run, type Statement } from './statement';

/** Whose consent stands. Takes arrays of integrations and digests; answers with the places of those, from 1. */
const areGranted: Statement = {
  name: 'consents.are-granted',
  text: `
    select g.place::integer from unnest($1::text[], $2::bytea[]) with ordinality as g (of_integration, of_digest, place)
    where (select granted from consents where integration_id = of_integration and reference_digest = of_digest)`,
};

/** Users about whose consent one statement asks at most. */
const maxGroupSize = 64;

const entries: Statement = {
  name: 'consents.entries',
  text: `
    select reference, granted, fields, text_version, call, request_id, at, integration_id, reference_digest
    from consent_ledger where integration_id = $1 and reference_digest = $2 order by id`,
};

/** Consents in Postgres: the present state beside a ledger of its changes, references sealed. */
export class PostgresConsentLedger implements ConsentLedger {
  private readonly questions = new GroupedStatements<RowKey, boolean>({ most: maxGroupSize, run: (rows) => this.areGranted(rows) });

  constructor(private readonly deps: { db: DataSource; box: SecretBox; index: ReferenceIndex }) {}

  async isGranted(key: ConsentKey): Promise<boolean> {
    return this.questions.add([key.integrationId, this.digestOf(key)]);
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

  private async areGranted(rows: readonly RowKey[]): Promise<boolean[]> {
    const granted = await run<{ place: number }>(this.deps.db, areGranted, columnParameters(['text', 'bytea'], rows));
    const places = new Set(granted.map(({ place }) => place));
    return rows.map((_, i) => places.has(i + 1));
  }

  private digestOf(key: ConsentKey): Buffer {
    return consentDigest(this.deps.index, key);
  }
}

type RowKey = readonly [integrationId: string, digest: Buffer];
