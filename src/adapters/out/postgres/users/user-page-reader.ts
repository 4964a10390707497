import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { maskReference } from '../../../../domain/exchanges/exchange';
import { grouped } from '../../../../domain/shared/grouped';
import type { ConsentState, UserFilter, UserPage, UserRecord } from '../../../../domain/sso/user-record-repository';
import { arrayParameter } from '../connection/array-parameters';
import type { ConsentRow } from '../sso/consent.schema';
import { consentSealContext } from '../sso/consent-statement';
import { filteredStatement } from '../connection/filtered-statement';
import type { ReferenceIndex } from '../sealing/reference-index';
import { openText } from '../sealing/sealed-text';
import { userDigest } from '../sso/sign-on-statements';
import { run } from '../connection/statement';
import { readable } from '../sealing/unreadable';
import { userSealContexts, type UserRow } from '../sso/user.schema';
import * as statements from './user-page-statements';

type ConsentStateRow = Pick<ConsentRow, 'integration_id' | 'reference_digest' | 'granted' | 'fields' | 'text_version' | 'updated_at'>;
type ConsenterRow = ConsentStateRow & { readonly reference: Buffer };
type FoundRow = Pick<UserRow, 'client_id' | 'reference_digest' | 'reference' | 'created_at' | 'updated_at'> & {
  readonly tokens_at: Date | null;
  readonly is_refreshable: boolean;
  readonly position: string;
};
interface IntegrationRow {
  readonly client_id: string;
  readonly reference_digest: null;
  readonly integration_id: string;
  readonly app_id: string;
}

/** A user on a page. */
interface Shown {
  readonly clientId: string;
  /** Absent when the stored reference cannot be decrypted. */
  readonly reference?: string | undefined;
  /** The row's `reference_digest` in hexadecimal. Empty when no row of users holds it. */
  readonly id: string;
  /** The cursor after which the next page starts. */
  readonly position: string;
  /** Absent when the user has not signed on. */
  readonly row?: FoundRow | undefined;
}

interface Deps {
  readonly db: DataSource;
  readonly box: SecretCipher;
  readonly index: ReferenceIndex;
}

/** Sorts before every digest. */
const beforeAll = Buffer.alloc(0);

/** Reads pages of users with two statements each, or three when no host app is named. Decrypts references and returns them masked. */
export class UserPageReader {
  constructor(private readonly deps: Deps) {}

  async page(filter: UserFilter, page: UserPage): Promise<readonly UserRecord[]> {
    const { clientId, appId, reference } = filter;
    if (reference !== undefined) return page.after === undefined ? this.named(filter, reference, page) : [];
    if (clientId !== undefined && appId !== undefined) return this.consenters({ clientId, appId }, page);
    const after = page.after === undefined ? undefined : positionIn(page.after);
    const { statement, values } = filteredStatement(statements.usersPage, statements.usersPageConditions, { clientId, after });
    const rows = await run<FoundRow | IntegrationRow>(this.deps.db, statement, [...values, page.limit, appId ?? null, appId ?? null]);
    const { users, integrations } = apart(rows);
    return this.withConsents(
      users.map((row) => this.shownFrom(row)),
      integrations,
    );
  }

  /** Finds the user of this reference who signed on, or gave or withdrew consent. */
  private async named({ clientId, appId }: UserFilter, reference: string, { limit }: UserPage): Promise<readonly UserRecord[]> {
    const { db, index } = this.deps;
    const hostApps = clientId === undefined ? (await run<{ id: string }>(db, statements.hostAppIds, [])).map(({ id }) => id) : [clientId];
    const digests = hostApps.map((id) => userDigest(index, id, reference));
    const values = [hostApps, arrayParameter('bytea', digests), appId ?? null];
    const { users, integrations } = apart(await run<FoundRow | IntegrationRow>(db, statements.usersNamed, values));
    const rowOf = new Map(users.map((row) => [row.client_id, row]));
    const shown = hostApps.map((id, i) => {
      const digest = digests[i]!.toString('hex');
      return { clientId: id, reference, id: digest, position: digest, row: rowOf.get(id) };
    });
    const records = await this.withConsents(shown, integrations);
    return records.filter(({ firstSignOnAt, consents }) => firstSignOnAt !== undefined || consents.length > 0).slice(0, limit);
  }

  /** Finds users by the digests of their consents, because not all of them have signed on. */
  private async consenters(
    { clientId, appId }: Readonly<Record<'clientId' | 'appId', string>>,
    { limit, after }: UserPage,
  ): Promise<readonly UserRecord[]> {
    const { db, box, index } = this.deps;
    const digest = after === undefined ? beforeAll : Buffer.from(after.split('/')[1] ?? '', 'hex');
    const consenters = await run<ConsenterRow>(db, statements.consentersAfter, [clientId, appId, digest, limit]);
    const references = consenters.map((row) =>
      readable(() => openText(box, row.reference, consentSealContext(row.integration_id, row.reference_digest))),
    );
    const digests = references.map((reference) => (reference === undefined ? beforeAll : userDigest(index, clientId, reference)));
    const values = [consenters.map(() => clientId), arrayParameter('bytea', digests), appId];
    const { users } = apart(consenters.length === 0 ? [] : await run<FoundRow | IntegrationRow>(db, statements.usersNamed, values));
    const rowOf = new Map(users.map((row) => [row.reference_digest.toString('hex'), row]));
    return consenters.map((row, i) => {
      const [id, position] = [digests[i]!.toString('hex'), row.reference_digest.toString('hex')];
      return recordOf({ clientId, reference: references[i], id, position, row: rowOf.get(id) }, [stateFrom(appId, row)]);
    });
  }

  private shownFrom(row: FoundRow): Shown {
    const { client_id: clientId, reference_digest: digest } = row;
    const reference = readable(() => openText(this.deps.box, row.reference, userSealContexts(clientId, digest).reference));
    const id = digest.toString('hex');
    return { clientId, reference, id, position: id, row };
  }

  /** Adds consents. Each integration has its own digest of a user, so there is one lookup per user and integration. */
  private async withConsents(shown: readonly Shown[], integrations: readonly IntegrationRow[]): Promise<readonly UserRecord[]> {
    const ofHostApp = grouped(integrations, ({ client_id: clientId }) => clientId);
    const lookups = shown.flatMap((user, i) => {
      const { reference, clientId } = user;
      if (reference === undefined) return [];
      return (ofHostApp.get(clientId) ?? []).map(({ integration_id: id, app_id: appId }) => {
        return { i, appId, id, digest: this.deps.index.digest('consent', id, reference) };
      });
    });
    const keys = [
      lookups.map(({ id }) => id),
      arrayParameter(
        'bytea',
        lookups.map(({ digest }) => digest),
      ),
    ];
    const found = lookups.length === 0 ? [] : await run<ConsentStateRow>(this.deps.db, statements.consentsOf, keys);
    const rowsByKey = new Map(found.map((row) => [`${row.integration_id}/${row.reference_digest.toString('hex')}`, row]));
    const consents: ConsentState[][] = shown.map(() => []);
    if (rowsByKey.size > 0) {
      for (const { i, appId, id, digest } of lookups) {
        const row = rowsByKey.get(`${id}/${digest.toString('hex')}`);
        if (row) consents[i]?.push(stateFrom(appId, row));
      }
    }
    return shown.map((user, i) => recordOf(user, consents[i] ?? []));
  }
}

/** Splits a cursor into the host app and the digest in hexadecimal. The first non-digit ends the digest. */
function positionIn(cursor: string): readonly [string, string] {
  const [clientId = '', digest = ''] = cursor.split('/');
  return [clientId, Buffer.from(digest, 'hex').toString('hex')];
}

/** Separates the rows into users, in page order, and integrations. */
function apart(rows: readonly (FoundRow | IntegrationRow)[]): { users: FoundRow[]; integrations: IntegrationRow[] } {
  const users = rows.filter((row): row is FoundRow => row.reference_digest !== null);
  const integrations = rows.filter((row): row is IntegrationRow => row.reference_digest === null);
  return { users: users.sort((a, b) => Number(a.position) - Number(b.position)), integrations };
}

const recordOf = ({ clientId, reference, id, position, row }: Shown, consents: readonly ConsentState[]): UserRecord => ({
  ...{ id: id === '' ? position : id, position, clientId },
  ...{ maskedReference: maskReference(reference ?? ''), ...(reference === undefined && { isUnreadable: true as const }) },
  firstSignOnAt: row?.created_at.getTime(),
  lastSignOnAt: row?.updated_at.getTime(),
  tokens: row?.tokens_at ? { at: row.tokens_at.getTime(), isRefreshable: row.is_refreshable } : undefined,
  consents,
});

const stateFrom = (appId: string, row: ConsentStateRow): ConsentState => ({
  ...{ appId, granted: row.granted, at: row.updated_at.getTime() },
  fields: row.fields ?? undefined,
  textVersion: row.text_version ?? undefined,
});
