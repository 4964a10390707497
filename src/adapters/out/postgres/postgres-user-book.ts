import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import { maskReference } from '../../../domain/exchanges/exchange';
import type { AuditEntry } from '../../../domain/partners/ports';
import type { JsonObject } from '../../../domain/shared/json';
import { requireIds } from '../../../domain/shared/required-id';
import type { UserKey } from '../../../domain/sso/ports';
import type { ConsentState, UserBook, UserFilter, UserPage, UserRecord } from '../../../domain/sso/user-book';
import { appendAudit } from './audit-statement';
import type { ConsentRow } from './consent.schema';
import { ledgerPlace } from './consent-statement';
import { removeTokens } from './erasure-statements';
import type { ReferenceIndex } from './reference-index';
import { openText } from './sealed-text';
import { userDigest } from './sign-on-statements';
import { run, runIn, transaction } from './statement';
import { exportOf } from './user-export';
import * as statements from './user-book-statements';
import { readable } from './unreadable';
import { placesOf, type UserRow } from './user.schema';

type FoundUser = Pick<UserRow, 'client_id' | 'reference_digest' | 'reference' | 'created_at' | 'updated_at'>;
type TokenRow = { client_id: string; reference_digest: Buffer; updated_at: Date; is_refreshable: boolean };
type IntegrationRow = { id: string; client_id: string; app_id: string };
type ConsentFound = Pick<ConsentRow, 'integration_id' | 'reference_digest' | 'granted' | 'fields' | 'text_version' | 'updated_at'>;

/** A user, and what a page goes on after. */
interface PlacedUser {
  readonly clientId: string;
  /** Absent: the stored one does not open. */
  readonly reference?: string | undefined;
  /** As `reference_digest` of the row; made of the reference where absent. */
  readonly digest?: Buffer;
  /** Absent: the id. */
  readonly place?: string;
}

/** The digest of no user. */
const nobody = Buffer.alloc(0);

/** What is stored of users, in Postgres. References are opened here, and leave masked; an id is the keyed digest of one. */
export class PostgresUserBook implements UserBook {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretBox; readonly index: ReferenceIndex }) {}

  async list({ clientId, appId, reference }: UserFilter, { limit, after }: UserPage): Promise<readonly UserRecord[]> {
    const keys = reference === undefined ? await this.page(clientId, appId, { limit, after }) : await this.named(clientId, reference);
    const records = await this.records(keys, appId);
    const isKnown = ({ firstSignOnAt, consents }: UserRecord): boolean => firstSignOnAt !== undefined || consents.length > 0;
    return reference === undefined ? records : after === undefined ? records.filter(isKnown).slice(0, limit) : [];
  }

  async keyOf(clientId: string, id: string): Promise<UserKey | undefined> {
    requireIds({ clientId, id });
    const digest = Buffer.from(id, 'hex');
    const [row] = await run<FoundUser>(this.deps.db, statements.usersByDigest, [[clientId], [digest]]);
    if (!row) return undefined;
    const { reference } = row;
    return { clientId, reference: openText(this.deps.box, reference, placesOf(clientId, digest).reference) };
  }

  async export(user: UserKey, audit: (alias: string) => AuditEntry): Promise<JsonObject | undefined> {
    const exported = await exportOf(this.deps, user);
    if (exported) await transaction(this.deps.db, (manager) => appendAudit(manager, audit(this.aliasOf(user))));
    return exported;
  }

  async revokeTokens(user: UserKey, audit: (alias: string) => AuditEntry): Promise<boolean> {
    return transaction(this.deps.db, async (manager) => {
      const values = [user.clientId, userDigest(this.deps.index, user.clientId, user.reference)];
      if ((await runIn(manager, removeTokens, values)).length === 0) return false;
      await appendAudit(manager, audit(this.aliasOf(user)));
      return true;
    });
  }

  private aliasOf = ({ clientId, reference }: UserKey): string =>
    this.deps.index.digest('erased-user', clientId, reference).toString('hex');

  private async page(clientId: string | undefined, appId: string | undefined, { limit, after }: UserPage): Promise<readonly PlacedUser[]> {
    const { db, box } = this.deps;
    const [afterClient, afterId] = after?.split('/') ?? [];
    const digest = afterId === undefined ? null : Buffer.from(afterId, 'hex');
    if (clientId === undefined || appId === undefined) {
      const rows = await run<FoundUser>(db, statements.usersAfter, [clientId ?? null, afterClient ?? null, digest, limit]);
      return rows.map((row) => this.placedFrom(row));
    }
    const [integration] = await run<IntegrationRow>(db, statements.integrationsOf, [[clientId], appId]);
    if (!integration) return [];
    const rows = await run<{ reference_digest: Buffer; reference: Buffer }>(db, statements.consentersAfter, [
      integration.id,
      digest,
      limit,
    ]);
    return rows.map(({ reference_digest: of, reference }) => {
      const opened = readable(() => openText(box, reference, ledgerPlace(integration.id, of)));
      return { clientId, reference: opened, place: of.toString('hex') };
    });
  }

  private async named(clientId: string | undefined, reference: string): Promise<readonly UserKey[]> {
    const ids =
      clientId === undefined ? (await run<{ id: string }>(this.deps.db, statements.hostAppIds, [])).map(({ id }) => id) : [clientId];
    return ids.map((id) => ({ clientId: id, reference }));
  }

  private async records(keys: readonly PlacedUser[], appId: string | undefined): Promise<readonly UserRecord[]> {
    if (keys.length === 0) return [];
    const { db, index } = this.deps;
    const digests = keys.map(({ clientId, reference, digest }) => {
      return digest ?? (reference === undefined ? nobody : userDigest(index, clientId, reference));
    });
    const asked = [keys.map(({ clientId }) => clientId), digests];
    const users = byUser(await run<FoundUser>(db, statements.usersByDigest, asked));
    const tokens = byUser(await run<TokenRow>(db, statements.tokensOf, asked));
    const consents = await this.consents(keys, appId);
    return keys.map((key, i) => {
      const id = digests[i]?.toString('hex') ?? '';
      const { reference } = key;
      const [user, token] = [users.get(`${key.clientId}/${id}`), tokens.get(`${key.clientId}/${id}`)];
      return {
        ...{ id: id === '' ? (key.place ?? '') : id, place: key.place ?? id, clientId: key.clientId },
        ...{ maskedReference: maskReference(reference ?? ''), ...(reference === undefined && { isUnreadable: true as const }) },
        firstSignOnAt: user?.created_at.getTime(),
        lastSignOnAt: user?.updated_at.getTime(),
        tokens: token && { at: token.updated_at.getTime(), isRefreshable: token.is_refreshable },
        consents: consents[i] ?? [],
      };
    });
  }

  /** For each of the keys. */
  private async consents(keys: readonly PlacedUser[], appId: string | undefined): Promise<readonly (readonly ConsentState[])[]> {
    const clientIds = [...new Set(keys.map(({ clientId }) => clientId))];
    const integrations = await run<IntegrationRow>(this.deps.db, statements.integrationsOf, [clientIds, appId ?? null]);
    const asked = keys.flatMap((key, i) =>
      integrations
        .filter(({ client_id: clientId }) => clientId === key.clientId)
        .flatMap(({ id, app_id: app }) => {
          const digest = this.consentDigest(id, key);
          return digest ? [{ i, id, app, digest }] : [];
        }),
    );
    const values = [asked.map(({ id }) => id), asked.map(({ digest }) => digest)];
    const found = await run<ConsentFound>(this.deps.db, statements.consentsOf, values);
    const states = new Map(found.map((row) => [`${row.integration_id}/${row.reference_digest.toString('hex')}`, row]));
    const of: ConsentState[][] = keys.map(() => []);
    for (const { i, id, app, digest } of asked) {
      const row = states.get(`${id}/${digest.toString('hex')}`);
      if (row) of[i]?.push(stateFrom(app, row));
    }
    return of;
  }

  /** Without a reference the place on the page of an integration is the digest. */
  private consentDigest(integrationId: string, { reference, place }: PlacedUser): Buffer | undefined {
    if (reference !== undefined) return this.deps.index.digest('consent', integrationId, reference);
    return place === undefined ? undefined : Buffer.from(place, 'hex');
  }

  private placedFrom({ client_id: clientId, reference_digest: digest, reference }: FoundUser): PlacedUser {
    return { clientId, digest, reference: readable(() => openText(this.deps.box, reference, placesOf(clientId, digest).reference)) };
  }
}

const byUser = <Row extends { client_id: string; reference_digest: Buffer }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [`${row.client_id}/${row.reference_digest.toString('hex')}`, row]));

const stateFrom = (appId: string, row: ConsentFound): ConsentState => ({
  ...{ appId, granted: row.granted, at: row.updated_at.getTime() },
  fields: row.fields ?? undefined,
  textVersion: row.text_version ?? undefined,
});
