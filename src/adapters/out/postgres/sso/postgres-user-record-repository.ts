import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { AuditEntry } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { UserKey } from '../../../../domain/sso/user-data';
import type { UserRecordRepository, UserFilter, UserPage, UserRecord } from '../../../../domain/sso/user-record-repository';
import { appendAudit } from '../audit/audit-statement';
import { removeTokens } from './erasure-statements';
import { referenceSealContext, userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { openText } from '../sealing/sealed-text';
import { run, runIn, transaction, type Statement } from '../connection/statement';
import { exportOf } from './user-export';
import { UserPageReader } from '../users/user-page-reader';
import type { UserRow } from './user.schema';

type FoundUser = Pick<UserRow, 'reference'>;

const reference: Statement = {
  name: 'user-records.reference',
  text: 'select reference from users where client_id = $1 and reference_digest = $2',
};

/** Stored users, in Postgres. References are decrypted here and returned masked; the id of a user is a keyed digest of the reference. */
export class PostgresUserRecordRepository implements UserRecordRepository {
  private readonly reader: UserPageReader;

  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretCipher; readonly index: ReferenceIndex }) {
    this.reader = new UserPageReader(deps);
  }

  list(filter: UserFilter, page: UserPage): Promise<readonly UserRecord[]> {
    return this.reader.page(filter, page);
  }

  async keyOf(clientId: string, id: string): Promise<UserKey | undefined> {
    requireIds({ clientId, id });
    const digest = Buffer.from(id, 'hex');
    const [row] = await run<FoundUser>(this.deps.db, reference, [clientId, digest]);
    if (!row) return undefined;
    return { clientId, reference: openText(this.deps.box, row.reference, referenceSealContext(digest)) };
  }

  async export(user: UserKey, audit: (alias: string) => AuditEntry): Promise<AsyncIterable<string> | undefined> {
    const exported = await exportOf(this.deps, user);
    if (exported) await transaction(this.deps.db, (manager) => appendAudit(manager, audit(this.aliasOf(user))));
    return exported;
  }

  async revokeTokens(user: UserKey, audit: (alias: string) => AuditEntry): Promise<boolean> {
    return transaction(this.deps.db, async (manager) => {
      const values = [user.clientId, userDigest(this.deps.index, user)];
      if ((await runIn(manager, removeTokens, values)).length === 0) return false;
      await appendAudit(manager, audit(this.aliasOf(user)));
      return true;
    });
  }

  private aliasOf = ({ clientId, reference }: UserKey): string =>
    this.deps.index.digest('erased-user', clientId, reference).toString('hex');
}
