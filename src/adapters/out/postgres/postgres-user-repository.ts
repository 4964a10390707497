import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { SignOn, UserRepository } from '../../../domain/sso/ports';
import type { UserData } from '../../../domain/sso/user-data';
import { GroupedStatements } from './grouped-statements';
import { isMissingValue } from './postgres-errors';
import type { ReferenceIndex } from './reference-index';
import { roomByNeed } from './room-by-need';
import {
  isKnown,
  isPlain,
  knownSignOnParameters,
  rowOf,
  signOnParameters,
  storeKnownSignOns,
  storeSignOn,
  storeSignOns,
  userDigest,
  valuesOf,
  type SignOnRow,
} from './sign-on-statements';
import { run, type Statement } from './statement';
import { placesOf, userDataFrom, type UserRow } from './user.schema';

const findUser: Statement = {
  name: 'users.find',
  text: 'select data from users where client_id = $1 and reference_digest = $2',
};

/** Sign-ons that are written by one statement at most. */
const most = 64;
/** Digests of users and of their consents whose rows are known to be there. */
const mostStored = 20_000;

/** A sign-on on its way, and its row as it is written first. */
interface OnItsWay {
  readonly signOn: SignOn;
  readonly row: SignOnRow;
}

/**
 * Users in Postgres: found by a keyed digest of the reference, everything about them sealed. The reference of a user who was stored
 * by this process before is not sealed again, as its row keeps the first.
 */
export class PostgresUserRepository implements UserRepository {
  private readonly signOns = new GroupedStatements<OnItsWay, void>({
    most,
    run: (group) => this.storeAll(group),
    nameOf: ({ row: { client_id, digest } }) => `${client_id} ${digest}`,
  });
  private readonly stored = new LRUCache<string, true>(roomByNeed(mostStored));

  constructor(private readonly deps: { db: DataSource; box: SecretBox; index: ReferenceIndex }) {}

  async store(signOn: SignOn): Promise<void> {
    if (isPlain(signOn)) await this.signOns.add({ signOn, row: rowOf(signOn, this.deps, (digest) => this.stored.has(digest)) });
    else await run(this.deps.db, storeSignOn, valuesOf(signOn, this.deps));
  }

  async find(clientId: string, reference: string): Promise<UserData | undefined> {
    const { db, box, index } = this.deps;
    const digest = userDigest(index, clientId, reference);
    const [row] = await run<Pick<UserRow, 'data'>>(db, findUser, [clientId, digest]);
    return row && userDataFrom(reference, box.open(row.data, placesOf(clientId, digest).data));
  }

  private async storeAll(group: readonly OnItsWay[]): Promise<undefined[]> {
    try {
      await this.write(group.map(({ row }) => row));
    } catch (error) {
      if (!isMissingValue(error)) throw error;
      // A row is gone that was there: of someone who was erased.
      await this.write(group.map(({ signOn }) => rowOf(signOn, this.deps, () => false)));
    }
    for (const { row } of group) {
      // Without a reference it was there, and is noted.
      if (row.reference !== null) this.stored.set(row.digest, true);
      if (row.consent_digest !== null && row.consent_reference !== null) this.stored.set(row.consent_digest, true);
    }
    return group.map(() => undefined);
  }

  private async write(rows: readonly SignOnRow[]): Promise<void> {
    const left = rows.every(isKnown) ? await this.writeKnown(rows) : rows;
    if (left.length > 0) await run(this.deps.db, storeSignOns, signOnParameters(left));
  }

  /** Resolves to those whose consent does not stand. */
  private async writeKnown(rows: readonly SignOnRow[]): Promise<SignOnRow[]> {
    const left = await run<{ place: number }>(this.deps.db, storeKnownSignOns, knownSignOnParameters(rows));
    return left.map(({ place }) => rows[place - 1]!);
  }
}
