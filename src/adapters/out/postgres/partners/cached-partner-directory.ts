import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../../domain/credentials/ports';
import type { HostApp } from '../../../../domain/partners/host-app';
import type { Agreement } from '../../../../domain/partners/integration';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import type { AgreementKey, PartnerDirectory } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { ChangeFeed, DirectoryChange } from '../change-feed';
import { agreementFrom, type IntegrationRow } from '../integrations/integration.schema';
import { run } from '../statement';
import {
  agreementStamps,
  findAgreement,
  findPair,
  joinedPartner,
  partnerStatements,
  type JoinedRow,
  type Stamped,
} from './directory-statements';
import { groupedStamps, stampsBy } from './grouped-stamps';
import { hostAppTable, miniappTable, partnerFrom, type PartnerTable } from './partner-table';
import { RecordCache, type RecordSource } from './record-cache';

interface Deps {
  readonly db: DataSource;
  readonly box: SecretBox;
  /** Hears of changes made elsewhere, and calls `forget`; nobody where absent. */
  readonly feed?: ChangeFeed;
  /** Milliseconds that only rise; the process clock where absent. */
  readonly now?: () => number;
}

/**
 * The directory over Postgres: frozen records, credentials opened only after a change. They are read from memory while the
 * feed covers them, else looked at once a second each.
 */
export class CachedPartnerDirectory implements PartnerDirectory {
  private readonly hostApps: RecordCache<HostApp>;
  private readonly miniapps: RecordCache<Miniapp>;
  private readonly agreements: RecordCache<Agreement>;
  /** Whose agreement an id is; that never changes. */
  private readonly pairs: RecordCache<AgreementKey>;

  constructor({ db, box, ...freshness }: Deps) {
    this.hostApps = new RecordCache(partnerSource(hostAppTable, { db, box }), freshness);
    this.miniapps = new RecordCache(partnerSource(miniappTable, { db, box }), freshness);
    this.agreements = new RecordCache(agreementSource(db), freshness);
    this.pairs = new RecordCache(pairSource(db), freshness);
  }

  // Each of the three is asked for on every call: no promise is made for a record that is known.
  hostApp(clientId: string): Promise<HostApp | undefined> {
    return canBeAnId(clientId) ? this.hostApps.get(clientId) : notFound({ clientId });
  }

  miniapp(appId: string): Promise<Miniapp | undefined> {
    return canBeAnId(appId) ? this.miniapps.get(appId) : notFound({ appId });
  }

  agreement(clientId: string, appId: string): Promise<Agreement | undefined> {
    const canBe = canBeAnId(clientId) && canBeAnId(appId);
    return canBe ? this.agreements.get(nameOf({ clientId, appId })) : notFound({ clientId, appId });
  }

  async agreementById(id: string): Promise<Agreement | undefined> {
    requireIds({ id });
    const pair = canBeAnId(id) ? await this.pairs.get(id) : undefined;
    const agreement = pair && (await this.agreement(pair.clientId, pair.appId));
    return agreement?.id === id ? agreement : undefined;
  }

  /** The next who asks reads anew. A partner takes its agreements with it. */
  forget(change: DirectoryChange): void {
    if (change === 'anything') {
      for (const cache of [this.hostApps, this.miniapps, this.agreements, this.pairs]) cache.forgetWhere(() => true);
      return;
    }
    const { clientId, appId } = change as Partial<AgreementKey>;
    if (clientId !== undefined && appId !== undefined) {
      this.agreements.forget(nameOf({ clientId, appId }));
      // An id that was nobody's may be this agreement's now. An id of one that is gone does no harm: it finds no agreement.
      this.pairs.forgetWhere(() => true);
      return;
    }
    if (clientId !== undefined) {
      this.hostApps.forget(clientId);
      this.agreements.forgetWhere(isOfHostApp(clientId));
    }
    if (appId !== undefined) {
      this.miniapps.forget(appId);
      this.agreements.forgetWhere(isOfMiniapp(appId));
    }
  }
}

/** No stored id is empty or longer, and Postgres holds no NUL: other text is nobody's id, and no reason to ask. */
const canBeAnId = (text: unknown): boolean => typeof text === 'string' && text !== '' && text.length <= 64 && !text.includes('\0');

/** Nobody's ids; rejects with MissingId where one is none at all. */
async function notFound(ids: Readonly<Record<string, unknown>>): Promise<undefined> {
  requireIds(ids);
  return undefined;
}

/** No id holds NUL. */
const nameOf = ({ clientId, appId }: AgreementKey): string => `${clientId}\0${appId}`;
/** Chosen by their names as they are: at each change all of them are looked through. */
const isOfHostApp = (clientId: string) => {
  const start = nameOf({ clientId, appId: '' });
  return (name: string): boolean => name.startsWith(start);
};
const isOfMiniapp = (appId: string) => {
  const end = nameOf({ clientId: '', appId });
  return (name: string): boolean => name.endsWith(end);
};
const keyOf = (name: string): AgreementKey => {
  const [clientId = '', appId = ''] = name.split('\0');
  return { clientId, appId };
};

function partnerSource<Partner extends object>(table: PartnerTable<Partner>, { db, box }: Pick<Deps, 'db' | 'box'>): RecordSource<Partner> {
  const { find, stamps } = partnerStatements[table.kind];
  const stampsOf = stampsBy(db, stamps);
  const stampOf = groupedStamps(stampsOf);
  return {
    stamps: (ids) => stampsOf(ids.map((id) => [id])),
    load: async (id, known) => {
      if (known && known.stamp === (await stampOf(id))) return known;
      const row = joinedPartner(await run<JoinedRow>(db, find, [id]));
      return { record: row && partnerFrom(table, row, box), stamp: row?.stamp };
    },
  };
}

function agreementSource(db: DataSource): RecordSource<Agreement> {
  const stampsOf = stampsBy(db, agreementStamps);
  const stampOf = groupedStamps(stampsOf);
  return {
    stamps: (names) => stampsOf(names.map((name) => name.split('\0'))),
    load: async (name, known) => {
      const { clientId, appId } = keyOf(name);
      if (known && known.stamp === (await stampOf(clientId, appId))) return known;
      const [row] = await run<IntegrationRow & Stamped>(db, findAgreement, [clientId, appId]);
      return { record: row && agreementFrom(row), stamp: row?.stamp };
    },
  };
}

function pairSource(db: DataSource): RecordSource<AgreementKey> {
  return {
    load: async (id) => {
      const [row] = await run<Pick<IntegrationRow, 'client_id' | 'app_id'>>(db, findPair, [id]);
      return row ? { record: { clientId: row.client_id, appId: row.app_id } } : {};
    },
  };
}
