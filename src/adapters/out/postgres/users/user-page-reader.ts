import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../../domain/credentials/ports';
import { maskReference } from '../../../../domain/exchanges/exchange';
import { grouped } from '../../../../domain/shared/grouped';
import type { ConsentState, UserFilter, UserPage, UserRecord } from '../../../../domain/sso/user-book';
import { arrayParameter } from '../array-parameters';
import type { ConsentRow } from '../consent.schema';
import { ledgerPlace } from '../consent-statement';
import { filteredStatement } from '../filtered-statement';
import type { ReferenceIndex } from '../reference-index';
import { openText } from '../sealed-text';
import { userDigest } from '../sign-on-statements';
import { run } from '../statement';
import { readable } from '../unreadable';
import { placesOf, type UserRow } from '../user.schema';
import * as statements from './user-page-statements';

type SaidRow = Pick<ConsentRow, 'integration_id' | 'reference_digest' | 'granted' | 'fields' | 'text_version' | 'updated_at'>;
type ConsenterRow = SaidRow & { readonly reference: Buffer };
type FoundRow = Pick<UserRow, 'client_id' | 'reference_digest' | 'reference' | 'created_at' | 'updated_at'> & {
  readonly tokens_at: Date | null;
  readonly is_refreshable: boolean;
  readonly place: string;
};
interface IntegrationRow {
  readonly client_id: string;
  readonly reference_digest: null;
  readonly integration_id: string;
  readonly app_id: string;
}

/** Somebody of a page. */
interface Shown {
  readonly clientId: string;
  /** Absent: the stored one does not open. */
  readonly reference?: string | undefined;
  /** As `reference_digest` of the row; empty: nobody knows. */
  readonly id: string;
  /** What a page goes on after. */
  readonly place: string;
  /** Absent: has not signed on. */
  readonly row?: FoundRow | undefined;
}

interface Deps {
  readonly db: DataSource;
  readonly box: SecretBox;
  readonly index: ReferenceIndex;
}

/** Before every other digest. */
const beforeAll = Buffer.alloc(0);

/** Pages of users: two statements each, three where the host app is not named. References are opened here, and leave masked. */
export class UserPageReader {
  constructor(private readonly deps: Deps) {}

  async page(filter: UserFilter, page: UserPage): Promise<readonly UserRecord[]> {
    const { clientId, appId, reference } = filter;
    if (reference !== undefined) return page.after === undefined ? this.named(filter, reference, page) : [];
    if (clientId !== undefined && appId !== undefined) return this.consenters({ clientId, appId }, page);
    const after = page.after === undefined ? undefined : placeIn(page.after);
    const { statement, values } = filteredStatement(statements.usersPage, statements.usersPageConditions, { clientId, after });
    const rows = await run<FoundRow | IntegrationRow>(this.deps.db, statement, [...values, page.limit, appId ?? null, appId ?? null]);
    const { users, integrations } = apart(rows);
    return this.withConsents(
      users.map((row) => this.shownFrom(row)),
      integrations,
    );
  }

  /** The user under this reference who signed on, or gave or withdrew consent. */
  private async named({ clientId, appId }: UserFilter, reference: string, { limit }: UserPage): Promise<readonly UserRecord[]> {
    const { db, index } = this.deps;
    const hostApps = clientId === undefined ? (await run<{ id: string }>(db, statements.hostAppIds, [])).map(({ id }) => id) : [clientId];
    const digests = hostApps.map((id) => userDigest(index, id, reference));
    const values = [hostApps, arrayParameter('bytea', digests), appId ?? null];
    const { users, integrations } = apart(await run<FoundRow | IntegrationRow>(db, statements.usersNamed, values));
    const rowOf = new Map(users.map((row) => [row.client_id, row]));
    const shown = hostApps.map((id, i) => {
      const digest = digests[i]!.toString('hex');
      return { clientId: id, reference, id: digest, place: digest, row: rowOf.get(id) };
    });
    const records = await this.withConsents(shown, integrations);
    return records.filter(({ firstSignOnAt, consents }) => firstSignOnAt !== undefined || consents.length > 0).slice(0, limit);
  }

  /** By the digests of their consents, as not all have signed on. */
  private async consenters(
    { clientId, appId }: Readonly<Record<'clientId' | 'appId', string>>,
    { limit, after }: UserPage,
  ): Promise<readonly UserRecord[]> {
    const { db, box, index } = this.deps;
    const digest = after === undefined ? beforeAll : Buffer.from(after.split('/')[1] ?? '', 'hex');
    const said = await run<ConsenterRow>(db, statements.consentersAfter, [clientId, appId, digest, limit]);
    const references = said.map((row) =>
      readable(() => openText(box, row.reference, ledgerPlace(row.integration_id, row.reference_digest))),
    );
    const digests = references.map((reference) => (reference === undefined ? beforeAll : userDigest(index, clientId, reference)));
    const values = [said.map(() => clientId), arrayParameter('bytea', digests), appId];
    const { users } = apart(said.length === 0 ? [] : await run<FoundRow | IntegrationRow>(db, statements.usersNamed, values));
    const rowOf = new Map(users.map((row) => [row.reference_digest.toString('hex'), row]));
    return said.map((row, i) => {
      const [id, place] = [digests[i]!.toString('hex'), row.reference_digest.toString('hex')];
      return recordOf({ clientId, reference: references[i], id, place, row: rowOf.get(id) }, [stateFrom(appId, row)]);
    });
  }

  private shownFrom(row: FoundRow): Shown {
    const { client_id: clientId, reference_digest: digest } = row;
    const reference = readable(() => openText(this.deps.box, row.reference, placesOf(clientId, digest).reference));
    const id = digest.toString('hex');
    return { clientId, reference, id, place: id, row };
  }

  /** Consents are found by a digest of each integration's own: one for each user and integration. */
  private async withConsents(shown: readonly Shown[], integrations: readonly IntegrationRow[]): Promise<readonly UserRecord[]> {
    const ofHostApp = grouped(integrations, ({ client_id: clientId }) => clientId);
    const asked = shown.flatMap((user, i) => {
      const { reference, clientId } = user;
      if (reference === undefined) return [];
      return (ofHostApp.get(clientId) ?? []).map(({ integration_id: id, app_id: appId }) => {
        return { i, appId, id, digest: this.deps.index.digest('consent', id, reference) };
      });
    });
    const keys = [
      asked.map(({ id }) => id),
      arrayParameter(
        'bytea',
        asked.map(({ digest }) => digest),
      ),
    ];
    const found = asked.length === 0 ? [] : await run<SaidRow>(this.deps.db, statements.consentsOf, keys);
    const said = new Map(found.map((row) => [`${row.integration_id}/${row.reference_digest.toString('hex')}`, row]));
    const consents: ConsentState[][] = shown.map(() => []);
    if (said.size > 0) {
      for (const { i, appId, id, digest } of asked) {
        const row = said.get(`${id}/${digest.toString('hex')}`);
        if (row) consents[i]?.push(stateFrom(appId, row));
      }
    }
    return shown.map((user, i) => recordOf(user, consents[i] ?? []));
  }
}

/** Of a cursor: the host app, and the digest in hexadecimal; the first non-digit ends it. */
function placeIn(cursor: string): readonly [string, string] {
  const [clientId = '', digest = ''] = cursor.split('/');
  return [clientId, Buffer.from(digest, 'hex').toString('hex')];
}

/** Users in the order of their page, and integrations. */
function apart(rows: readonly (FoundRow | IntegrationRow)[]): { users: FoundRow[]; integrations: IntegrationRow[] } {
  const users = rows.filter((row): row is FoundRow => row.reference_digest !== null);
  const integrations = rows.filter((row): row is IntegrationRow => row.reference_digest === null);
  return { users: users.sort((a, b) => Number(a.place) - Number(b.place)), integrations };
}

const recordOf = ({ clientId, reference, id, place, row }: Shown, consents: readonly ConsentState[]): UserRecord => ({
  ...{ id: id === '' ? place : id, place, clientId },
  ...{ maskedReference: maskReference(reference ?? ''), ...(reference === undefined && { isUnreadable: true as const }) },
  firstSignOnAt: row?.created_at.getTime(),
  lastSignOnAt: row?.updated_at.getTime(),
  tokens: row?.tokens_at ? { at: row.tokens_at.getTime(), isRefreshable: row.is_refreshable } : undefined,
  consents,
});

const stateFrom = (appId: string, row: SaidRow): ConsentState => ({
  ...{ appId, granted: row.granted, at: row.updated_at.getTime() },
  fields: row.fields ?? undefined,
  textVersion: row.text_version ?? undefined,
});
