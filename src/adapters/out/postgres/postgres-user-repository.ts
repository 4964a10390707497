import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { SignOn, UserRepository } from '../../../domain/sso/ports';
import type { UserData } from '../../../domain/sso/user-data';
import { GroupedWrites } from './grouped-writes';
import type { ReferenceIndex } from './reference-index';
import { isPlain, rowOf, storeSignOn, storeSignOns, userDigest, valuesOf } from './sign-on-statements';
import { run, type Statement } from './statement';
import { placesOf, userDataFrom, type UserRow } from './user.schema';

const findUser: Statement = {
  name: 'users.find',
  text: 'select data from users where client_id = $1 and reference_digest = $2',
};

/** Sign-ons that are written by one statement at most, and such statements at once. */
const together = { most: 64, atOnce: 2 } as const;

/** Users in Postgres: found by a keyed digest of the reference, everything about them sealed. */
export class PostgresUserRepository implements UserRepository {
  private readonly signOns = new GroupedWrites<readonly unknown[], void>({
    ...together,
    write: (rows) => this.storeAll(rows),
    nameOf: ([clientId, digest]) => `${String(clientId)} ${(digest as Buffer).toString('latin1')}`,
  });

  constructor(private readonly deps: { db: DataSource; box: SecretBox; index: ReferenceIndex }) {}

  async store(signOn: SignOn): Promise<void> {
    if (isPlain(signOn)) await this.signOns.add(rowOf(signOn, this.deps));
    else await run(this.deps.db, storeSignOn, valuesOf(signOn, this.deps));
  }

  async find(clientId: string, reference: string): Promise<UserData | undefined> {
    const { db, box, index } = this.deps;
    const digest = userDigest(index, clientId, reference);
    const [row] = await run<Pick<UserRow, 'data'>>(db, findUser, [clientId, digest]);
    return row && userDataFrom(reference, box.open(row.data, placesOf(clientId, digest).data));
  }

  private async storeAll(rows: readonly (readonly unknown[])[]): Promise<undefined[]> {
    const [first = []] = rows;
    const columns = first.map((_, column) => rows.map((values) => values[column]));
    await run(this.deps.db, storeSignOns, columns);
    return rows.map(() => undefined);
  }
}
