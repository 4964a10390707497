import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { Unavailable } from '../../../../domain/shared/errors';
import { requireIds } from '../../../../domain/shared/required-id';
import { Secret } from '../../../../domain/shared/secret';
import type { SharedTaskStore, SharedTaskFailure, SharedTaskKey, SharedTaskState } from '../../../../domain/shared/tasks/single-flight';
import { columnParameters } from '../connection/array-parameters';
import { claimSharedTasks, dropSharedTask, failSharedTask, completeSharedTasks, readSharedTask } from './shared-task-statements';
import type { SharedTaskRow } from './shared-task.schema';
import { GroupedStatements } from '../connection/grouped-statements';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import type { ReferenceIndex } from '../sealing/reference-index';
import { openText, sealText } from '../sealing/sealed-text';
import { run } from '../connection/statement';

const prune = pruneStatement('shared_tasks', 'expires_at', 'expires_at <= now()');

/** Attempts to read a row that others keep changing. Each read has a newer snapshot, so the second one nearly always succeeds. */
const maxTries = 10;
/** The maximum number of tasks that one statement claims or completes. */
const maxGroupSize = 64;

/** Shared tasks in Postgres. Times are those of the database's clock. Keys are stored as keyed digests, values sealed. */
export class PostgresSharedTaskStore implements SharedTaskStore {
  private readonly claims = new GroupedStatements<Claim, StateRow | undefined>({
    maxGroupSize,
    run: (claims) => this.claimAll(claims),
    nameOf: ({ row }) => nameOf(row),
  });
  private readonly completions = new GroupedStatements<Completion, boolean>({
    maxGroupSize,
    run: (completions) => this.completeAll(completions),
    nameOf: ({ row }) => nameOf(row),
  });

  constructor(private readonly deps: { db: DataSource; box: SecretCipher; index: ReferenceIndex }) {}

  async claim(key: SharedTaskKey, leaseMs: number): Promise<SharedTaskState> {
    const row = this.rowOf(key);
    const lease = randomUUID();
    for (let i = 0; i < maxTries; i++) {
      const found = await this.claims.add({ row, lease, leaseMs });
      if (found) return this.stateFrom(found, row);
    }
    throw new Unavailable('database-busy');
  }

  async find(key: SharedTaskKey): Promise<SharedTaskState | undefined> {
    const row = this.rowOf(key);
    const [found] = await run<StateRow>(this.deps.db, readSharedTask, row);
    return found && this.stateFrom(found, row);
  }

  async complete(key: SharedTaskKey, lease: string, value: Secret, ttlMs: number): Promise<boolean> {
    requireIds({ lease });
    const row = this.rowOf(key);
    return this.completions.add({ row, lease, ttlMs, sealed: sealText(this.deps.box, value.reveal(), sharedTaskSealContext(row)) });
  }

  async fail(key: SharedTaskKey, lease: string, failure: SharedTaskFailure): Promise<void> {
    requireIds({ lease });
    await run(this.deps.db, failSharedTask, [...this.rowOf(key), lease, JSON.stringify(failure)]);
  }

  async drop(key: SharedTaskKey, value: Secret): Promise<void> {
    const row = this.rowOf(key);
    const [found] = await run<StateRow>(this.deps.db, readSharedTask, row);
    if (!found?.value || openText(this.deps.box, found.value, sharedTaskSealContext(row)) !== value.reveal()) return;
    // Matches the lease of the run that stored the value, so a newer value of another run stays.
    await run(this.deps.db, dropSharedTask, [...row, found.lease]);
  }

  /** Removes expired rows; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }

  /** The state of each claim; `undefined`: another caller claimed or ended the task at the same moment. */
  private async claimAll(claims: readonly Claim[]): Promise<(StateRow | undefined)[]> {
    const rows = claims.map(({ row, lease, leaseMs }) => [...row, lease, leaseMs]);
    const columns = columnParameters(['text', 'bytea', 'text', 'integer'], rows);
    const found = await run<KeyedRow & StateRow>(this.deps.db, claimSharedTasks, columns);
    const byName = new Map(found.map((one) => [nameOfRow(one), one]));
    return claims.map(({ row }) => byName.get(nameOf(row)));
  }

  /** Whether each run still held its lease. */
  private async completeAll(completions: readonly Completion[]): Promise<boolean[]> {
    const rows = completions.map(({ row, lease, sealed, ttlMs }) => [...row, lease, sealed, ttlMs]);
    const columns = columnParameters(['text', 'bytea', 'text', 'bytea', 'integer'], rows);
    const completed = new Set((await run<KeyedRow>(this.deps.db, completeSharedTasks, columns)).map(nameOfRow));
    return completions.map(({ row }) => completed.has(nameOf(row)));
  }

  private rowOf({ purpose, key }: SharedTaskKey): RowKey {
    requireIds({ purpose, key });
    return [purpose, this.deps.index.digest('flight', purpose, key)];
  }

  private stateFrom({ state, lease, value, failure }: StateRow, row: RowKey): SharedTaskState {
    if (state === 'completed' && value) return { state, value: new Secret(openText(this.deps.box, value, sharedTaskSealContext(row))) };
    if (state === 'failed' && failure) return { state, lease, failure };
    if (state === 'claimed' || state === 'running') return { state, lease };
    throw new Error(`A flight is ${state}, but without what it brought`);
  }
}

type RowKey = [purpose: string, digest: Buffer];
type KeyedRow = Pick<SharedTaskRow, 'purpose' | 'key_digest'>;
type StateRow = Pick<SharedTaskRow, 'lease' | 'value'> & { state: SharedTaskRow['state'] | 'claimed'; failure?: SharedTaskRow['failure'] };

interface Claim {
  readonly row: RowKey;
  readonly lease: string;
  readonly leaseMs: number;
}

interface Completion {
  readonly row: RowKey;
  readonly lease: string;
  readonly sealed: Buffer;
  readonly ttlMs: number;
}

const nameOf = ([purpose, digest]: RowKey): string => `${purpose}/${digest.toString('hex')}`;
const nameOfRow = ({ purpose, key_digest }: KeyedRow): string => nameOf([purpose, key_digest]);

/** The seal context of a task's value. */
export const sharedTaskSealContext = (row: RowKey): string => `shared_tasks.value:${nameOf(row)}`;
