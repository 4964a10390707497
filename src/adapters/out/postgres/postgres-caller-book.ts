import type { DataSource } from 'typeorm';
import type { CredentialKind } from '../../../domain/credentials/credential';
import {
  type CallerBook,
  type CallerCount,
  type CallerLog,
  callersAtMost,
  CallerTally,
  type CredentialCaller,
  type ProvenCall,
  type TallyRow,
} from '../../../domain/credentials/caller-tally';
import type { CredentialRef } from '../../../domain/credentials/ports';
import type { CheckedPartner } from '../../../domain/exchanges/exchange';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Clock, Log } from '../../../domain/shared/ports';
import { pruneExpired, pruneStatement } from './prune-expired';
import { run, type Statement } from './statement';
import { DoneLater } from './done-later';

/** Milliseconds from a call to its count: the more rows there are, the more often each would be written, and the longer they wait. */
const flushAfterMs = { least: 2000, most: 10_000 };
/** Rows in one statement. */
const batchSize = 500;

const write: Statement = {
  name: 'callers.write',
  // In the order of the key: writers of other processes take the same rows in the same order, so none waits for another's other row.
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
    group by address order by max(last_at) desc, address limit ${String(callersAtMost)}`,
};

const credentialCallers: Statement = {
  name: 'callers.credentials',
  text: `
    select credential, address, sum(admitted)::bigint as uses, max(last_at) as last_at
    from caller_addresses
    where partner_kind = $1 and partner_id = $2 and credential > '' and hour > $3
    group by credential, address order by max(last_at) desc, credential, address limit ${String(callersAtMost)}`,
};

const prune = pruneStatement('caller_addresses', 'hour', `hour < now() - interval '31 days'`);

const hourMs = 3_600_000;

interface Deps {
  readonly db: DataSource;
  readonly clock: Clock;
  readonly log: Log;
}

/** Callers on their way to Postgres: counted in memory, written in groups every two seconds, of many partners every ten. What cannot be written waits. */
export class PostgresCallerBook implements CallerLog, CallerBook {
  private readonly tally = new CallerTally();
  /** Rows of the last group. */
  private writtenLast = 0;
  private readonly later = new DoneLater({
    afterMs: () => Math.min(flushAfterMs.least + this.writtenLast, flushAfterMs.most),
    isEmpty: () => this.tally.isEmpty,
    work: () => this.writeTally(),
  });

  constructor(private readonly deps: Deps) {}

  called(call: ProvenCall): void {
    this.tally.called(call, this.deps.clock.now());
    this.later.wake();
  }

  used(credential: CredentialRef): void {
    this.tally.used(credential, this.deps.clock.now());
    this.later.wake();
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
      ...{ address, uses: Number(uses), lastAt: last_at.getTime() },
    }));
  }

  /** Removes rows older than 31 days; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }

  /** Writes the counts. Never two at once, never fails. */
  flush(): Promise<void> {
    return this.later.flush();
  }

  /** Writes the rest. */
  close(): Promise<void> {
    return this.later.close();
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
        this.deps.log.warn('callers.delayed', { count: rows.length - at, ...factsOfFault(error) });
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
  // Written by `stored` alone.
  return { kind: text.slice(0, at) as CredentialKind, fingerprint: text.slice(at + 1) };
}
