import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { Unavailable } from '../../../../domain/shared/errors';
import {
  answersKeptMs,
  type IdempotencyStore,
  type IdempotencyState,
  type IdempotentCall,
  type KeptAnswer,
} from '../../../../domain/shared/idempotency';
import { requireIds } from '../../../../domain/shared/required-id';
import type { IdempotentCallRow } from './idempotent-call.schema';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import type { ReferenceIndex } from '../sealing/reference-index';
import { run, type Statement } from '../connection/statement';

const remembered = `now() + ${String(answersKeptMs)} * interval '1 ms'`;

const claim: Statement = {
  name: 'idempotent-calls.claim',
  // Reads first, so that a stored answer is read without a lock. Only the upsert decides which caller gets the claim.
  text: `
    with present as (
      select body_digest, status, answer, lease_until > now() as running
      from idempotent_calls where key_digest = $1 and expires_at > now()
    ), claimed as (
      insert into idempotent_calls (key_digest, body_digest, lease, lease_until, expires_at)
      select $1, $2, $3, now() + $4 * interval '1 ms', ${remembered}
      where not exists (select from present)
      on conflict (key_digest) do update set
        body_digest = excluded.body_digest,
        lease = excluded.lease,
        lease_until = excluded.lease_until,
        status = null,
        answer = null,
        expires_at = excluded.expires_at
      where idempotent_calls.expires_at <= now()
      returning body_digest
    )
    select true as claimed, body_digest, null::integer as status, null::bytea as answer, true as running from claimed
    union all
    select false, body_digest, status, answer, running from present`,
};

const finish: Statement = {
  name: 'idempotent-calls.finish',
  text: `
    update idempotent_calls set status = $3, answer = $4, expires_at = ${remembered}
    where key_digest = $1 and lease = $2 and status is null`,
};

const release: Statement = {
  name: 'idempotent-calls.release',
  text: 'delete from idempotent_calls where key_digest = $1 and lease = $2 and status is null',
};

const prune = pruneStatement('idempotent_calls', 'expires_at', 'expires_at <= now()');

/** Attempts to read a row that another caller has just claimed. The second attempt nearly always finds it. */
const maxTries = 10;

/**
 * Calls with an idempotency key, in Postgres. Keys and bodies are stored as keyed digests, answers sealed. Times are those of the
 * database's clock.
 */
export class PostgresIdempotencyStore implements IdempotencyStore {
  constructor(private readonly deps: { db: DataSource; box: SecretCipher; index: ReferenceIndex }) {}

  async claim(call: IdempotentCall, bodyDigest: Uint8Array, leaseMs: number): Promise<IdempotencyState> {
    const key = this.digestOf(call);
    const body = this.deps.index.digest('idempotent-body', Buffer.from(bodyDigest).toString('hex'));
    const lease = randomUUID();
    for (let i = 0; i < maxTries; i++) {
      const [found] = await run<ClaimRow>(this.deps.db, claim, [key, body, lease, leaseMs]);
      if (!found) continue;
      if (found.claimed) return { state: 'claimed', lease };
      if (!body.equals(found.body_digest)) return { state: 'mismatch' };
      if (found.status !== null && found.answer) return { state: 'finished', answer: this.answerFrom(found.status, found.answer, key) };
      return { state: found.running ? 'running' : 'died' };
    }
    throw new Unavailable('database-busy');
  }

  async finish(call: IdempotentCall, lease: string, { status, body }: KeptAnswer): Promise<void> {
    requireIds({ lease });
    const key = this.digestOf(call);
    await run(this.deps.db, finish, [key, lease, status, Buffer.from(this.deps.box.seal(body, answerSealContext(key)))]);
  }

  async release(call: IdempotentCall, lease: string): Promise<void> {
    requireIds({ lease });
    await run(this.deps.db, release, [this.digestOf(call), lease]);
  }

  /** Removes expired rows; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }

  private digestOf({ caller, integrationId, path, key }: IdempotentCall): Buffer {
    return this.deps.index.digest('idempotent-call', caller, integrationId, path, key);
  }

  private answerFrom(status: number, sealed: Buffer, key: Buffer): KeptAnswer {
    return { status, body: this.deps.box.open(sealed, answerSealContext(key)) };
  }
}

type ClaimRow = Pick<IdempotentCallRow, 'body_digest' | 'status' | 'answer'> & { claimed: boolean; running: boolean };

/** The seal context of a stored answer. */
export const answerSealContext = (key: Buffer): string => `idempotent_calls.answer:${key.toString('hex')}`;
