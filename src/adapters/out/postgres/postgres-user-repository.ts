import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { SignOn, UserRepository } from '../../../domain/sso/ports';
import type { UserData } from '../../../domain/sso/user-data';
import { consentColumns, consentSteps } from './consent-statement';
import type { ReferenceIndex } from './reference-index';
import { sealText } from './sealed-text';
import { run, type Statement } from './statement';
import { placesOf, userDataFrom, userDataText, type UserRow } from './user.schema';

/** The whole of a sign-on in one statement: one round trip, committed together. */
const storeSignOn: Statement = {
  name: 'users.store',
  text: `
    with stored_user as (
      insert into users (client_id, reference_digest, reference, data, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $5)
      on conflict (client_id, reference_digest) do update set data = excluded.data, updated_at = excluded.updated_at
    ), stored_tokens as (
      insert into user_tokens (client_id, reference_digest, access_token, refresh_token, version, updated_at)
      select $1, $2, $6::bytea, $7::bytea, 1, $5 where $6::bytea is not null
      on conflict (client_id, reference_digest) do update set
        access_token = excluded.access_token,
        refresh_token = excluded.refresh_token,
        version = user_tokens.version + 1,
        lease = null,
        lease_until = null,
        failure = null,
        updated_at = excluded.updated_at
    ), ${consentSteps(8)}`,
};

const findUser: Statement = {
  name: 'users.find',
  text: 'select data from users where client_id = $1 and reference_digest = $2',
};

/** Users in Postgres: found by a keyed digest of the reference, everything about them sealed. */
export class PostgresUserRepository implements UserRepository {
  constructor(private readonly deps: { db: DataSource; box: SecretBox; index: ReferenceIndex }) {}

  async store({ clientId, user, consent, tokens, at }: SignOn): Promise<void> {
    const { db, box, index } = this.deps;
    const digest = this.digestOf(clientId, user.reference);
    const places = placesOf(clientId, digest);
    await run(db, storeSignOn, [
      clientId,
      digest,
      sealText(box, user.reference, places.reference),
      sealText(box, userDataText(user), places.data),
      new Date(at),
      sealText(box, tokens?.accessToken.reveal(), places.accessToken),
      sealText(box, tokens?.refreshToken?.reveal(), places.refreshToken),
      ...consentColumns(consent, { box, index }),
    ]);
  }

  async find(clientId: string, reference: string): Promise<UserData | undefined> {
    const digest = this.digestOf(clientId, reference);
    const [row] = await run<Pick<UserRow, 'data'>>(this.deps.db, findUser, [clientId, digest]);
    return row && userDataFrom(reference, this.deps.box.open(row.data, placesOf(clientId, digest).data));
  }

  private digestOf(clientId: string, reference: string): Buffer {
    return this.deps.index.digest('user', clientId, reference);
  }
}
