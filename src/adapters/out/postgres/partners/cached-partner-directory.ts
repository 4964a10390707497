import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { HostApp } from '../../../../domain/partners/host-app';
import type { IntegrationRecord } from '../../../../domain/partners/integrations/integration';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import type { IntegrationKey, PartnerDirectory } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { ChangeFeed, DirectoryChange } from '../changes/change-feed';
import { integrationRecordFrom, type IntegrationRow } from '../integrations/integration.schema';
import { run } from '../connection/statement';
import {
  agreementRowVersions,
  findIntegration,
  findPair,
  joinedPartner,
  partnerStatements,
  type JoinedRow,
  type Versioned,
} from './directory-statements';
import { groupedRowVersions, rowVersionReader } from './grouped-row-versions';
import { hostAppTable, miniappTable, partnerFrom, type PartnerTable } from './partner-table';
import { RecordCache, type RecordSource } from './record-cache';

interface Deps {
  readonly db: DataSource;
  readonly box: SecretCipher;
  /** Reports changes made by other instances. Absent: none are reported. */
  readonly feed?: ChangeFeed;
  /** A monotonic clock in milliseconds. Defaults to the process clock. */
  readonly now?: () => number;
}

/**
 * The partner directory in Postgres. Records are frozen, and credentials are decrypted only after a change. While the feed covers a record
 * it is read from memory, otherwise it is checked once a second.
 */
export class CachedPartnerDirectory implements PartnerDirectory {
  private readonly hostApps: RecordCache<HostApp>;
  private readonly miniapps: RecordCache<Miniapp>;
  private readonly integrations: RecordCache<IntegrationRecord>;
  /** The partners of each integration id. They never change. */
  private readonly pairs: RecordCache<IntegrationKey>;

  constructor({ db, box, ...freshness }: Deps) {
    this.hostApps = new RecordCache(partnerSource(hostAppTable, { db, box }), freshness);
    this.miniapps = new RecordCache(partnerSource(miniappTable, { db, box }), freshness);
    this.integrations = new RecordCache(integrationSource(db), freshness);
    this.pairs = new RecordCache(pairSource(db), freshness);
  }

  // Every call asks for each of the three, so a known record creates no promise.
  hostApp(clientId: string): Promise<HostApp | undefined> {
    return canBeAnId(clientId) ? this.hostApps.get(clientId) : notFound({ clientId });
  }

  miniapp(appId: string): Promise<Miniapp | undefined> {
    return canBeAnId(appId) ? this.miniapps.get(appId) : notFound({ appId });
  }

  integrationRecord(clientId: string, appId: string): Promise<IntegrationRecord | undefined> {
    const canBe = canBeAnId(clientId) && canBeAnId(appId);
    return canBe ? this.integrations.get(nameOf({ clientId, appId })) : notFound({ clientId, appId });
  }

  async integrationRecordById(id: string): Promise<IntegrationRecord | undefined> {
    requireIds({ id });
    const pair = canBeAnId(id) ? await this.pairs.get(id) : undefined;
    const integrationRecord = pair && (await this.integrationRecord(pair.clientId, pair.appId));
    return integrationRecord?.id === id ? integrationRecord : undefined;
  }

  /** Drops records. The next call reads them again. A partner's integrations are dropped with it. */
  forget(change: DirectoryChange): void {
    if (change === 'anything') {
      for (const cache of [this.hostApps, this.miniapps, this.integrations, this.pairs]) cache.forgetWhere(() => true);
      return;
    }
    const { clientId, appId } = change as Partial<IntegrationKey>;
    if (clientId !== undefined && appId !== undefined) {
      this.integrations.forget(nameOf({ clientId, appId }));
      // An unknown id may now belong to this integration. The id of a deleted integration does no harm: it finds none.
      this.pairs.forgetWhere(() => true);
      return;
    }
    if (clientId !== undefined) {
      this.hostApps.forget(clientId);
      this.integrations.forgetWhere(isOfHostApp(clientId));
    }
    if (appId !== undefined) {
      this.miniapps.forget(appId);
      this.integrations.forgetWhere(isOfMiniapp(appId));
    }
  }
}

/** No stored id is empty or longer than 64 characters, and Postgres stores no NUL, so other text needs no query. */
const canBeAnId = (text: unknown): boolean => typeof text === 'string' && text !== '' && text.length <= 64 && !text.includes('\0');

/** Finds nothing. Rejects with MissingId when an id is missing. */
async function notFound(ids: Readonly<Record<string, unknown>>): Promise<undefined> {
  requireIds(ids);
  return undefined;
}

/** NUL cannot occur in an id. */
const nameOf = ({ clientId, appId }: IntegrationKey): string => `${clientId}\0${appId}`;
/** Compares names as they are, because each change scans all of them. */
const isOfHostApp = (clientId: string) => {
  const start = nameOf({ clientId, appId: '' });
  return (name: string): boolean => name.startsWith(start);
};
const isOfMiniapp = (appId: string) => {
  const end = nameOf({ clientId: '', appId });
  return (name: string): boolean => name.endsWith(end);
};
const keyOf = (name: string): IntegrationKey => {
  const [clientId = '', appId = ''] = name.split('\0');
  return { clientId, appId };
};

function partnerSource<Partner extends object>(table: PartnerTable<Partner>, { db, box }: Pick<Deps, 'db' | 'box'>): RecordSource<Partner> {
  const { find, rowVersions } = partnerStatements[table.kind];
  const readRowVersions = rowVersionReader(db, rowVersions);
  const rowVersionOf = groupedRowVersions(readRowVersions);
  return {
    rowVersions: (ids) => readRowVersions(ids.map((id) => [id])),
    load: async (id, known) => {
      if (known && known.rowVersion === (await rowVersionOf(id))) return known;
      const row = joinedPartner(await run<JoinedRow>(db, find, [id]));
      return { record: row && partnerFrom(table, row, box), rowVersion: row?.row_version };
    },
  };
}

function integrationSource(db: DataSource): RecordSource<IntegrationRecord> {
  const readRowVersions = rowVersionReader(db, agreementRowVersions);
  const rowVersionOf = groupedRowVersions(readRowVersions);
  return {
    rowVersions: (names) => readRowVersions(names.map((name) => name.split('\0'))),
    load: async (name, known) => {
      const { clientId, appId } = keyOf(name);
      if (known && known.rowVersion === (await rowVersionOf(clientId, appId))) return known;
      const [row] = await run<IntegrationRow & Versioned>(db, findIntegration, [clientId, appId]);
      return { record: row && integrationRecordFrom(row), rowVersion: row?.row_version };
    },
  };
}

function pairSource(db: DataSource): RecordSource<IntegrationKey> {
  return {
    load: async (id) => {
      const [row] = await run<Pick<IntegrationRow, 'client_id' | 'app_id'>>(db, findPair, [id]);
      return row ? { record: { clientId: row.client_id, appId: row.app_id } } : {};
    },
  };
}
