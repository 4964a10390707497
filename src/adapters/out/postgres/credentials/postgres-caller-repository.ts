import type { DataSource } from 'typeorm';
import type { CredentialKind } from '../../../../domain/credentials/credential';
import {
  type CallerReader,
  type CallerCount,
  type CallerLog,
  maxCallers,
  CallerTally,
  type CredentialCaller,
  type ProvenCall,
  type TallyRow,
} from '../../../../domain/credentials/caller-tally';
import type { CredentialRef } from '../../../../domain/credentials/ports';
import type { CheckedPartner } from '../../../../domain/exchanges/exchange';
import { errorFields } from '../../../../domain/shared/fault';
import type { Clock, Log } from '../../../../domain/shared/ports';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { run, type Statement } from '../connection/statement';
import { BackgroundFlush } from '../connection/background-flush';

/**
 * Milliseconds from a call to the write of its count. The delay grows with the number of rows, because each row would otherwise be written
 * too often.
 */
const flushAfterMs = { min: 2000, max: 10_000 };
const batchSize = 500;

const write: Statement = {
  name: 'callers.write',
  // Rows are written in key order. Writers of other processes use the same order, so they cannot deadlock.
  text: `
    insert into caller_addresses as kept
      (partner_kind, partner_id, credential, hour, address, admitted, refused, last_at, last_request_id)
    select partner_kind, partner_id, credential, to_timestamp(hour_ms / 1000.0), address, admitted, refused,
      to_timestamp(last_ms / 1000.0), last_request_id
    from json_to_recordset($1::json) as x(partner_kind text, partner_id text, credential text, hour_ms bigint, address text,
      admitted bigint, refused bigint, last_ms bigint, last_request_id text)
    order by partner_kind collate "C", partner_id collate "C", credential collate "C", hour_ms, address collate "C"
    on conflict (partner_kind, partner_id, credential, hour, address) do update set
      admitted = kept.admitted + excluded.admitted, refused = kept.refused + excluded.refused,
      last_at = greatest(kept.last_at, excluded.last_at), last_request_id = excluded.last_request_id`,
};

const addresses: Statement = {
  name: 'callers.addresses',
  text: `
    select address, sum(admitted)::bigint as admitted, sum(refused)::bigint as refused, max(last_at) as last_at,
      (array_agg(last_request_id order by last_at desc))[1] as last_request_id
    from caller_addresses
    where partner_kind = $1 and partner_id = $2 and credential = '' and hour > $3
    group by address order by max(last_at) desc, address limit ${String(maxCallers)}`,
};

const credentialCallers: Statement = {
  name: 'callers.credentials',
  text: `
    select credential, address, sum(admitted)::bigint as uses, max(last_at) as last_at
    from caller_addresses
    where partner_kind = $1 and partner_id = $2 and credential > '' and hour > $3
    group by credential, address order by max(last_at) desc, credential, address limit ${String(maxCallers)}`,
};

const prune = pruneStatement('caller_addresses', 'hour', `hour < now() - interval '31 days'`);

const hourMs = 3_600_000;

interface Deps {
  readonly db: DataSource;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Counts callers in memory and writes the counts to Postgres in groups, every two seconds or, with many rows, every ten. Keeps counts that
 * cannot be written and tries again.
 */
export class PostgresCallerRepository implements CallerLog, CallerReader {
  private readonly tally = new CallerTally();
  /** The number of rows in the last write. */
  private writtenLast = 0;
  private readonly background = new BackgroundFlush({
    afterMs: () => Math.min(flushAfterMs.min + this.writtenLast, flushAfterMs.max),
    isEmpty: () => this.tally.isEmpty,
    work: () => this.writeTally(),
  });

  constructor(private readonly deps: Deps) {}

  called(call: ProvenCall): void {
    this.tally.called(call, this.deps.clock.now());
    this.background.wake();
  }

  used(credential: CredentialRef): void {
    this.tally.used(credential, this.deps.clock.now());
    this.background.wake();
  }

  async addresses({ kind, id }: CheckedPartner, since: number): Promise<readonly CallerCount[]> {
    const rows = await run<AddressRow>(this.deps.db, addresses, [kind, id, new Date(since - hourMs)]);
    return rows.map((row) => ({
      address: row.address,
      admitted: Number(row.admitted),
      refused: Number(row.refused),
      lastAt: row.last_at.getTime(),
      lastRequestId: row.last_request_id,
    }));
  }

  async credentialCallers({ kind, id }: CheckedPartner, since: number): Promise<readonly CredentialCaller[]> {
    const rows = await run<UseRow>(this.deps.db, credentialCallers, [kind, id, new Date(since - hourMs)]);
    return rows.map(({ credential, address, uses, last_at }) => ({
      ...readCredential(credential),
      address,
      uses: Number(uses),
      lastAt: last_at.getTime(),
    }));
  }

  /** Removes rows older than 31 days; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }

  /** Writes the counts. Concurrent calls share one write. Never rejects. */
  flush(): Promise<void> {
    return this.background.flush();
  }

  /** Writes the remaining counts. */
  close(): Promise<void> {
    return this.background.close();
  }

  private async writeTally(): Promise<void> {
    const rows = this.tally.drain();
    this.writtenLast = rows.length;
    for (let at = 0; at < rows.length; at += batchSize) {
      const part = rows.slice(at, at + batchSize);
      try {
        await run(this.deps.db, write, [JSON.stringify(part.map(stored))]);
      } catch (error) {
        this.tally.restore(rows.slice(at));
        this.deps.log.warn('callers.delayed', { count: rows.length - at, ...errorFields(error) });
        return;
      }
    }
  }
}

interface AddressRow {
  readonly address: string;
  readonly admitted: string;
  readonly refused: string;
  readonly last_at: Date;
  readonly last_request_id: string;
}

interface UseRow {
  readonly credential: string;
  readonly address: string;
  readonly uses: string;
  readonly last_at: Date;
}

const stored = ({ partner, credential, address, hour, admitted, refused, lastAt, requestId }: TallyRow): object => ({
  partner_kind: partner.kind,
  partner_id: partner.id,
  credential: credential ? `${credential.kind}/${credential.fingerprint}` : '',
  hour_ms: hour,
  address,
  admitted,
  refused,
  last_ms: lastAt,
  last_request_id: requestId,
});

function readCredential(text: string): Pick<CredentialCaller, 'kind' | 'fingerprint'> {
  const at = text.indexOf('/');
  // Only `stored` writes this text, so the cast is safe.
  return { kind: text.slice(0, at) as CredentialKind, fingerprint: text.slice(at + 1) };
}
