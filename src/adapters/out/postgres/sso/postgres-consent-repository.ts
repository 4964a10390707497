import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { ConsentEntry, ConsentKey } from '../../../../domain/sso/consent';
import type { ConsentRepository } from '../../../../domain/sso/ports';
import { columnParameters } from '../connection/array-parameters';
import { consentParameters, consentRow, consenterDigest, recordConsents, type ConsentRow } from './consent-statement';
import { consentEntryFrom, type ConsentEntryRow } from './consent.schema';
import { GroupedStatements } from '../connection/grouped-statements';
import { referenceSealContext, type ReferenceIndex } from '../sealing/reference-index';
import { openText } from '../sealing/sealed-text';
import { run, type Statement } from '../connection/statement';

/** Finds granted consents. Takes arrays of integrations and digests; returns the ordinals of the granted ones, from 1. */
const areGranted: Statement = {
  name: 'consents.are-granted',
  text: `
    select g.ordinal::integer from unnest($1::text[], $2::bytea[]) with ordinality as g (of_integration, of_digest, ordinal)
    where (select granted from consents where integration_id = of_integration and reference_digest = of_digest)`,
};

/** The maximum number of consents that one statement reads or records. */
const maxGroupSize = 64;

const entries: Statement = {
  name: 'consents.entries',
  text: `
    select reference, granted, fields, text_version, call, request_id, at, integration_id, reference_digest
    from consent_entries where integration_id = $1 and reference_digest = $2 order by id`,
};

/** Consents in Postgres: the current state and a history of its changes, references sealed. */
export class PostgresConsentRepository implements ConsentRepository {
  private readonly questions = new GroupedStatements<RowKey, boolean>({ maxGroupSize, run: (rows) => this.areGranted(rows) });
  private readonly records = new GroupedStatements<ConsentRow, undefined>({
    maxGroupSize,
    run: (rows) => this.recordAll(rows),
    nameOf: ({ integrationId, digest }) => `${integrationId}/${digest.toString('base64')}`,
  });

  constructor(private readonly deps: { db: DataSource; box: SecretCipher; index: ReferenceIndex }) {}

  async isGranted(key: ConsentKey): Promise<boolean> {
    return this.questions.add([key.integrationId, this.digestOf(key)]);
  }

  async record(entry: ConsentEntry): Promise<void> {
    await this.records.add(consentRow(entry, this.deps));
  }

  async entries(key: ConsentKey): Promise<readonly ConsentEntry[]> {
    const digest = this.digestOf(key);
    const rows = await run<Omit<ConsentEntryRow, 'id'>>(this.deps.db, entries, [key.integrationId, digest]);
    const context = referenceSealContext(digest);
    return rows.map((row) => consentEntryFrom(row, { clientId: key.clientId, reference: openText(this.deps.box, row.reference, context) }));
  }

  private async areGranted(rows: readonly RowKey[]): Promise<boolean[]> {
    const granted = await run<{ ordinal: number }>(this.deps.db, areGranted, columnParameters(['text', 'bytea'], rows));
    const ordinals = new Set(granted.map(({ ordinal }) => ordinal));
    return rows.map((_, i) => ordinals.has(i + 1));
  }

  private async recordAll(rows: readonly ConsentRow[]): Promise<undefined[]> {
    await run(this.deps.db, recordConsents, consentParameters(rows));
    return rows.map(() => undefined);
  }

  private digestOf(key: ConsentKey): Buffer {
    return consenterDigest(this.deps.index, key);
  }
}

type RowKey = readonly [integrationId: string, digest: Buffer];
