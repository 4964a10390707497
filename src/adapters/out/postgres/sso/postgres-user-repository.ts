import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { SignOn, UserRepository } from '../../../../domain/sso/ports';
import type { UserData } from '../../../../domain/sso/user-data';
import { GroupedStatements } from '../connection/grouped-statements';
import { userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { rowOf, storing, type SignOnRow } from './sign-on-statements';
import { run, type Statement } from '../connection/statement';
import { userSealContexts, userDataFrom, type UserRow } from './user.schema';

const findUser: Statement = {
  name: 'users.find',
  text: 'select data from users where client_id = $1 and reference_digest = $2',
};

/** The maximum number of sign-ons in one statement. */
const maxGroupSize = 64;

/** Users in Postgres, found by a keyed digest of the reference; all their data is sealed. */
export class PostgresUserRepository implements UserRepository {
  /** Sign-ons of one user may share a statement, so that frequent sign-ons of one user do not wait for each other. */
  private readonly signOns = new GroupedStatements<SignOnRow, void>({ maxGroupSize, run: (rows) => this.storeAll(rows) });

  constructor(private readonly deps: { db: DataSource; box: SecretCipher; index: ReferenceIndex }) {}

  async store(signOn: SignOn): Promise<void> {
    await this.signOns.add(rowOf(signOn, this.deps));
  }

  async find(clientId: string, reference: string): Promise<UserData | undefined> {
    const { db, box, index } = this.deps;
    const digest = userDigest(index, { clientId, reference });
    const [row] = await run<Pick<UserRow, 'data'>>(db, findUser, [clientId, digest]);
    return row && userDataFrom(reference, box.open(row.data, userSealContexts(clientId, digest).data));
  }

  private async storeAll(rows: readonly SignOnRow[]): Promise<undefined[]> {
    await run(this.deps.db, ...storing(rows));
    return rows.map(() => undefined);
  }
}
