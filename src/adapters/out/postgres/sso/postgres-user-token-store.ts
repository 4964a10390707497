import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { Unavailable } from '../../../../domain/shared/errors';
import { requireIds } from '../../../../domain/shared/required-id';
import { Secret } from '../../../../domain/shared/secret';
import type { SharedTaskFailure } from '../../../../domain/shared/tasks/single-flight';
import type { RefreshState, RefusedTokens, StoredTokens, UserTokenStore } from '../../../../domain/sso/ports';
import type { UserKey } from '../../../../domain/sso/user-data';
import type { UserTokens } from '../../../../domain/sso/tokens';
import { columnParameters } from '../connection/array-parameters';
import { GroupedStatements } from '../connection/grouped-statements';
import { userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { openText, sealText } from '../sealing/sealed-text';
import { run, type Statement } from '../connection/statement';
import { userSealContexts, type UserTokensRow } from './user.schema';

const columns = `version, access_token, refresh_token, lease, failure`;
const isRunning = `coalesce(user_tokens.lease_until > now(), false)`;

/** Finds the tokens of many users. Takes arrays of client ids and digests. Returns the ordinals, from 1, of users with tokens. */
export const findTokens: Statement = {
  name: 'user-tokens.find',
  // Looks up each key by itself: a join planned while the table was empty would scan the whole table for as long as its connection lives.
  text: `
    select g.ordinal::integer, t.* from unnest($1::text[], $2::bytea[]) with ordinality as g (of_client, of_digest, ordinal)
    cross join lateral (select ${columns} from user_tokens where client_id = of_client and reference_digest = of_digest limit 1) t`,
};

const claim: Statement = {
  name: 'user-tokens.claim',
  // Reads first, so that waiting callers take no lock. Only the update decides which caller gets the claim.
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

/** Attempts to read a row that others keep changing. Each read has a newer snapshot, so the second one nearly always succeeds. */
const maxTries = 10;

/** The maximum number of users whose tokens one statement finds. */
const maxGroupSize = 64;

/** Sealed tokens of users in Postgres. Times are those of the database's clock. */
export class PostgresUserTokenStore implements UserTokenStore {
  private readonly finds = new GroupedStatements<RowKey, TokensRow | undefined>({ maxGroupSize, run: (rows) => this.findAll(rows) });

  constructor(private readonly deps: { db: DataSource; box: SecretCipher; index: ReferenceIndex }) {}

  async find(key: UserKey): Promise<StoredTokens | undefined> {
    const row = this.rowOf(key);
    const found = await this.finds.add(row);
    return found && this.tokensFrom(found, row);
  }

  async claimRefresh(key: UserKey, refused: RefusedTokens, leaseMs: number): Promise<RefreshState | undefined> {
    const row = this.rowOf(key);
    const lease = randomUUID();
    for (let i = 0; i < maxTries; i++) {
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
    const contexts = userSealContexts(...row);
    const accessToken = sealText(this.deps.box, tokens.accessToken.reveal(), contexts.accessToken);
    const refreshToken = sealText(this.deps.box, tokens.refreshToken?.reveal(), contexts.refreshToken);
    return (await run(this.deps.db, renew, [...row, version, lease, accessToken, refreshToken])).length === 1;
  }

  async failRefresh(key: UserKey, lease: string, failure: SharedTaskFailure): Promise<void> {
    requireIds({ lease });
    const row = this.rowOf(key);
    await run(this.deps.db, fail, [...row, lease, sealText(this.deps.box, JSON.stringify(failure), userSealContexts(...row).failure)]);
  }

  private async findAll(rows: readonly RowKey[]): Promise<(TokensRow | undefined)[]> {
    const found = await run<TokensRow & { ordinal: number }>(this.deps.db, findTokens, columnParameters(['text', 'bytea'], rows));
    const byOrdinal = new Map(found.map((row) => [row.ordinal, row]));
    return rows.map((_, index) => byOrdinal.get(index + 1));
  }

  private rowOf(key: UserKey): RowKey {
    return [key.clientId, userDigest(this.deps.index, key)];
  }

  private tokensFrom({ version, access_token, refresh_token, lease, failure }: TokensRow, row: RowKey): StoredTokens {
    const contexts = userSealContexts(...row);
    const accessToken = new Secret(openText(this.deps.box, access_token, contexts.accessToken));
    const refreshToken = refresh_token ? new Secret(openText(this.deps.box, refresh_token, contexts.refreshToken)) : undefined;
    return { accessToken, refreshToken, version, failedRun: failure && lease ? lease : undefined };
  }

  private failureFrom(sealed: Buffer, row: RowKey): SharedTaskFailure {
    return JSON.parse(openText(this.deps.box, sealed, userSealContexts(...row).failure)) as SharedTaskFailure;
  }
}

type RowKey = [clientId: string, digest: Buffer];
type TokensRow = Pick<UserTokensRow, 'version' | 'access_token' | 'refresh_token' | 'lease' | 'failure'>;
