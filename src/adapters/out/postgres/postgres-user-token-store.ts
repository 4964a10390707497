import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import { Unavailable } from '../../../domain/shared/errors';
import { requireIds } from '../../../domain/shared/required-id';
import { Secret } from '../../../domain/shared/secret';
import type { FlightFailure } from '../../../domain/shared/single-flight';
import type { RefreshState, RefusedTokens, StoredTokens, UserKey, UserTokenStore } from '../../../domain/sso/ports';
import type { UserTokens } from '../../../domain/sso/tokens';
import { columnParameters } from './array-parameters';
import { GroupedStatements } from './grouped-statements';
import type { ReferenceIndex } from './reference-index';
import { openText, sealText } from './sealed-text';
import { userDigest } from './sign-on-statements';
import { run, type Statement } from './statement';
import { placesOf, type UserTokensRow } from './user.schema';

const columns = `version, access_token, refresh_token, lease, failure`;
const isRunning = `coalesce(user_tokens.lease_until > now(), false)`;

/** The tokens of many users. Takes arrays of client ids and digests; answers with the places of those who have tokens, from 1. */
export const findTokens: Statement = {
  name: 'user-tokens.find',
  // One at a time, by the key: planned on an empty table, a join would go through all of it for as long as the connection lives.
  text: `
    select g.place::integer, t.* from unnest($1::text[], $2::bytea[]) with ordinality as g (of_client, of_digest, place)
    cross join lateral (select ${columns} from user_tokens where client_id = of_client and reference_digest = of_digest limit 1) t`,
};

const claim: Statement = {
  name: 'user-tokens.claim',
  // A look first, so that those who wait take no lock; the update alone decides who claims.
  text: `
    with present as (
      select ${columns}, ${isRunning} as running from user_tokens where client_id = $1 and reference_digest = $2
    ), claimed as (
      update user_tokens set lease = $4, lease_until = now() + $5 * interval '1 ms', failure = null
      where client_id = $1 and reference_digest = $2 and version = $3
        and not ${isRunning} and (failure is null or lease = $6)
        and exists (select from present where not running)
      returning ${columns}
    )
    select ${columns}, true as claimed, false as running from claimed
    union all
    select ${columns}, false, running from present where not exists (select from claimed)`,
};

const renew: Statement = {
  name: 'user-tokens.renew',
  text: `
    update user_tokens set
      access_token = $5, refresh_token = $6, version = version + 1, lease = null, lease_until = null, updated_at = now()
    where client_id = $1 and reference_digest = $2 and version = $3 and lease = $4 and lease_until is not null
    returning version`,
};

const fail: Statement = {
  name: 'user-tokens.fail',
  text: `
    update user_tokens set lease_until = null, failure = $4
    where client_id = $1 and reference_digest = $2 and lease = $3 and lease_until is not null`,
};

/** Tries to see a row that others keep changing; each look is newer than the one before, so the second nearly always tells. */
const looksAtMost = 10;

/** Users whose tokens one statement finds at most. */
const maxGroupSize = 64;

/** Users' tokens in Postgres, sealed. Times are the database's. */
export class PostgresUserTokenStore implements UserTokenStore {
  private readonly finds = new GroupedStatements<RowKey, TokensRow | undefined>({ most: maxGroupSize, run: (rows) => this.findAll(rows) });

  constructor(private readonly deps: { db: DataSource; box: SecretBox; index: ReferenceIndex }) {}

  async find(key: UserKey): Promise<StoredTokens | undefined> {
    const row = this.rowOf(key);
    const found = await this.finds.add(row);
    return found && this.tokensFrom(found, row);
  }

  async claimRefresh(key: UserKey, refused: RefusedTokens, leaseMs: number): Promise<RefreshState | undefined> {
    const row = this.rowOf(key);
    const lease = randomUUID();
    for (let i = 0; i < looksAtMost; i++) {
      const values = [...row, refused.version, lease, leaseMs, refused.failedRun ?? null];
      const [found] = await run<TokensRow & { claimed: boolean; running: boolean }>(this.deps.db, claim, values);
      if (!found) return undefined;
      if (found.claimed) return { state: 'claimed', lease, tokens: this.tokensFrom(found, row) };
      if (found.version !== refused.version) return { state: 'renewed', tokens: this.tokensFrom(found, row) };
      if (found.running) return { state: 'running' };
      if (found.failure && found.lease !== refused.failedRun) return { state: 'failed', failure: this.failureFrom(found.failure, row) };
    }
    throw new Unavailable('database-busy');
  }

  async renew(key: UserKey, { lease, version }: { lease: string; version: string }, tokens: UserTokens): Promise<boolean> {
    requireIds({ lease, version });
    const row = this.rowOf(key);
    const places = placesOf(...row);
    const accessToken = sealText(this.deps.box, tokens.accessToken.reveal(), places.accessToken);
    const refreshToken = sealText(this.deps.box, tokens.refreshToken?.reveal(), places.refreshToken);
    return (await run(this.deps.db, renew, [...row, version, lease, accessToken, refreshToken])).length === 1;
  }

  async failRefresh(key: UserKey, lease: string, failure: FlightFailure): Promise<void> {
    requireIds({ lease });
    const row = this.rowOf(key);
    await run(this.deps.db, fail, [...row, lease, sealText(this.deps.box, JSON.stringify(failure), placesOf(...row).failure)]);
  }

  private async findAll(rows: readonly RowKey[]): Promise<(TokensRow | undefined)[]> {
    const found = await run<TokensRow & { place: number }>(this.deps.db, findTokens, columnParameters(['text', 'bytea'], rows));
    const byPlace = new Map(found.map((row) => [row.place, row]));
    return rows.map((_, place) => byPlace.get(place + 1));
  }

  private rowOf({ clientId, reference }: UserKey): RowKey {
    return [clientId, userDigest(this.deps.index, clientId, reference)];
  }

  private tokensFrom({ version, access_token, refresh_token, lease, failure }: TokensRow, row: RowKey): StoredTokens {
    const places = placesOf(...row);
    const accessToken = new Secret(openText(this.deps.box, access_token, places.accessToken));
    const refreshToken = refresh_token ? new Secret(openText(this.deps.box, refresh_token, places.refreshToken)) : undefined;
    return { accessToken, refreshToken, version, failedRun: failure && lease ? lease : undefined };
  }

  private failureFrom(sealed: Buffer, row: RowKey): FlightFailure {
    return JSON.parse(openText(this.deps.box, sealed, placesOf(...row).failure)) as FlightFailure;
  }
}

type RowKey = [clientId: string, digest: Buffer];
type TokensRow = Pick<UserTokensRow, 'version' | 'access_token' | 'refresh_token' | 'lease' | 'failure'>;
