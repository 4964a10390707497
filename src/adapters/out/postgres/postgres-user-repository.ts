import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { SignOn, UserRepository } from '../../../domain/sso/ports';
import type { UserData } from '../../../domain/sso/user-data';
import { GroupedStatements } from './grouped-statements';
import type { ReferenceIndex } from './reference-index';
import { rowOf, storing, userDigest, type SignOnRow } from './sign-on-statements';
import { run, type Statement } from './statement';
import { placesOf, userDataFrom, type UserRow } from './user.schema';

const findUser: Statement = {
  name: 'users.find',
  text: 'select data from users where client_id = $1 and reference_digest = $2',
};

/** Sign-ons that are written by one statement at most. */
const maxGroupSize = 64;

/** Users in Postgres: found by a keyed digest of the reference, everything about them sealed. */
export class PostgresUserRepository implements UserRepository {
  private readonly signOns = new GroupedStatements<SignOnRow, void>({
    most: maxGroupSize,
    run: (rows) => this.storeAll(rows),
    nameOf: ({ client_id, digest }) => `${client_id} ${digest.toString('latin1')}`,
  });

  constructor(private readonly deps: { db: DataSource; box: SecretBox; index: ReferenceIndex }) {}

  async store(signOn: SignOn): Promise<void> {
    await this.signOns.add(rowOf(signOn, this.deps));
  }

  async find(clientId: string, reference: string): Promise<UserData | undefined> {
    const { db, box, index } = this.deps;
    const digest = userDigest(index, clientId, reference);
    const [row] = await run<Pick<UserRow, 'data'>>(db, findUser, [clientId, digest]);
    return row && userDataFrom(reference, box.open(row.data, placesOf(clientId, digest).data));
  }

  private async storeAll(rows: readonly SignOnRow[]): Promise<undefined[]> {
    await run(this.deps.db, ...storing(rows));
    return rows.map(() => undefined);
  }
}
