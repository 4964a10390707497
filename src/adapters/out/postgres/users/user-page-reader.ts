import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { maskReference } from '../../../../domain/exchanges/exchange';
import { grouped } from '../../../../domain/shared/grouped';
import type { ConsentState, UserFilter, UserPage, UserRecord } from '../../../../domain/sso/user-record-repository';
import { arrayParameter } from '../connection/array-parameters';
import { filteredStatement } from '../connection/filtered-statement';
import { run } from '../connection/statement';
import { referenceSealContext, userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { openText } from '../sealing/sealed-text';
import { readable } from '../sealing/unreadable';
import * as statements from './user-page-statements';

/** A user with one of their consents, or without one. */
interface PageRow {
  readonly client_id: string;
  readonly reference_digest: Buffer;
  /** Null when neither a sign-on nor a consent has it, which cannot be read from a page. */
  readonly reference: Buffer | null;
  /** Null when the user has not signed on. */
  readonly created_at: Date | null;
  readonly updated_at: Date | null;
  readonly tokens_at: Date | null;
  readonly is_refreshable: boolean;
  readonly app_id: string | null;
  readonly granted: boolean | null;
  readonly fields: string[] | null;
  readonly text_version: string | null;
  readonly consent_at: Date | null;
}

interface Deps {
  readonly db: DataSource;
  readonly box: SecretCipher;
  readonly index: ReferenceIndex;
}

/** Sorts before every digest. */
const beforeAll = Buffer.alloc(0);

/** Reads pages of users with one statement each, or two when a reference is searched at all host apps. References are returned masked. */
export class UserPageReader {
  constructor(private readonly deps: Deps) {}

  async page(filter: UserFilter, page: UserPage): Promise<readonly UserRecord[]> {
    const { clientId, appId, reference } = filter;
    if (reference !== undefined) return page.after === undefined ? this.named(filter, reference, page) : [];
    if (clientId !== undefined && appId !== undefined) return this.consenters({ clientId, appId }, page);
    const after = page.after === undefined ? undefined : positionIn(page.after);
    const position = after !== undefined && after[0] === clientId ? { afterDigest: after[1] } : { after };
    const { statement, values } = filteredStatement(statements.usersPage, statements.usersPageConditions, { clientId, ...position });
    const app = appId ?? null;
    return this.recordsOf(await run<PageRow>(this.deps.db, statement, [...values, page.limit, app, app]));
  }

  /** Finds the user of this reference who signed on, or gave or withdrew consent. */
  private async named({ clientId, appId }: UserFilter, reference: string, { limit }: UserPage): Promise<readonly UserRecord[]> {
    const { db, index } = this.deps;
    const hostApps = clientId === undefined ? (await run<{ id: string }>(db, statements.hostAppIds, [])).map(({ id }) => id) : [clientId];
    const digests = hostApps.map((id) => userDigest(index, { clientId: id, reference }));
    const values = [hostApps, arrayParameter('bytea', digests), appId ?? null, limit];
    return this.recordsOf(await run<PageRow>(db, statements.usersNamed, values), reference);
  }

  private async consenters(
    { clientId, appId }: Readonly<Record<'clientId' | 'appId', string>>,
    { limit, after }: UserPage,
  ): Promise<readonly UserRecord[]> {
    const digest = after === undefined ? beforeAll : Buffer.from(positionIn(after)[1], 'hex');
    return this.recordsOf(await run<PageRow>(this.deps.db, statements.consentersAfter, [clientId, appId, digest, limit]));
  }

  /** One record for each user, in the order of the rows. `known`: the reference of all of them. */
  private recordsOf(rows: readonly PageRow[], known?: string): readonly UserRecord[] {
    const ofUser = grouped(rows, ({ client_id: clientId, reference_digest: digest }) => `${clientId}/${digest.toString('hex')}`);
    return [...ofUser.values()].flatMap((own) => {
      const [row] = own;
      return row ? [recordOf(row, known ?? this.referenceOf(row), own.flatMap(stateFrom))] : [];
    });
  }

  /** `undefined` when the reference cannot be decrypted. */
  private referenceOf({ reference, reference_digest: digest }: PageRow): string | undefined {
    return reference === null ? undefined : readable(() => openText(this.deps.box, reference, referenceSealContext(digest)));
  }
}

/** Splits a cursor into the host app and the digest in hexadecimal. The first non-digit ends the digest. */
function positionIn(cursor: string): readonly [string, string] {
  const [clientId = '', digest = ''] = cursor.split('/');
  return [clientId, Buffer.from(digest, 'hex').toString('hex')];
}

const recordOf = (row: PageRow, reference: string | undefined, consents: readonly ConsentState[]): UserRecord => ({
  id: row.reference_digest.toString('hex'),
  clientId: row.client_id,
  maskedReference: maskReference(reference ?? ''),
  ...(reference === undefined && { isUnreadable: true as const }),
  firstSignOnAt: row.created_at?.getTime(),
  lastSignOnAt: row.updated_at?.getTime(),
  tokens: row.tokens_at ? { at: row.tokens_at.getTime(), isRefreshable: row.is_refreshable } : undefined,
  consents,
});

function stateFrom({ app_id: appId, granted, fields, text_version: version, consent_at: at }: PageRow): ConsentState[] {
  if (appId === null || granted === null || at === null) return [];
  return [{ appId, granted, at: at.getTime(), fields: fields ?? undefined, textVersion: version ?? undefined }];
}
