import type { DataSource } from 'typeorm';
import { maxKeptBody, keptForMs, KeptQuota, withoutCredentials } from '../../../../domain/credentials/explain/kept-parts';
import type { RefusedRequest, RefusedRequestRepository } from '../../../../domain/credentials/explain/ports';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { AuditEntry } from '../../../../domain/partners/ports';
import { errorFields } from '../../../../domain/shared/fault';
import type { Log } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { refusedRequestSealContext, type RefusedRequestRow } from './refused-request.schema';
import { openText, sealText } from '../sealing/sealed-text';
import { run, transaction, type Statement } from '../connection/statement';

const insert: Statement = {
  name: 'refused-requests.insert',
  text: `
    insert into refused_requests (exchange_id, partner_kind, partner_id, sealed, received_at, expires_at)
    select exchange_id, partner_kind, partner_id, decode(sealed, 'base64'), received_at, expires_at
    from json_to_recordset($1::json) as x(
      exchange_id text, partner_kind text, partner_id text, sealed text, received_at timestamptz, expires_at timestamptz)
    on conflict (exchange_id) do nothing`,
};

const find: Statement = {
  name: 'refused-requests.find',
  text: `
    select exchange_id, partner_kind, partner_id, sealed, received_at from refused_requests
    where exchange_id = $1 and expires_at > $2`,
};

const has: Statement = { name: 'refused-requests.has', text: 'select 1 from refused_requests where exchange_id = $1 and expires_at > $2' };

const prune = pruneStatement('refused_requests', 'expires_at', 'expires_at < now()');

const flushWithinMs = 250;
const batchSize = 50;
const bufferSize = 500;

interface Deps {
  readonly db: DataSource;
  readonly box: SecretCipher;
  readonly log: Log;
}

/** Refused requests in Postgres: sealed on arrival and written in the background. Requests that cannot be written are lost and logged. */
export class PostgresRefusedRequestRepository implements RefusedRequestRepository {
  private readonly quota = new KeptQuota();
  private readonly buffer: object[] = [];
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(private readonly deps: Deps) {}

  keep(refused: RefusedRequest, signatureHeader: string): void {
    const { request } = refused;
    if (request.body.length > maxKeptBody || this.buffer.length >= bufferSize || !this.quota.allows(refused)) return;
    this.buffer.push(this.rowOf({ ...refused, request: withoutCredentials(request, signatureHeader) }));
    this.timer ??= setTimeout(() => void this.flush(), flushWithinMs).unref();
  }

  async find(exchangeId: string, now: number): Promise<RefusedRequest | undefined> {
    requireIds({ exchangeId });
    const [row] = await run<RefusedRequestRow>(this.deps.db, find, [exchangeId, new Date(now)]);
    if (!row) return undefined;
    const { method, target, headers, body } = JSON.parse(
      openText(this.deps.box, row.sealed, refusedRequestSealContext(row)),
    ) as StoredRequest;
    const request = { method, target, rawHeaders: headers, body: Buffer.from(body, 'base64'), remoteAddress: '' };
    return { exchangeId, partner: { kind: row.partner_kind, id: row.partner_id }, request, receivedAt: row.received_at.getTime() };
  }

  async reveal(exchangeId: string, now: number, audit: () => AuditEntry): Promise<RefusedRequest | undefined> {
    const found = await this.find(exchangeId, now);
    if (found) await transaction(this.deps.db, (manager) => appendAudit(manager, audit()));
    return found;
  }

  async has(exchangeId: string, now: number): Promise<boolean> {
    requireIds({ exchangeId });
    return (await run(this.deps.db, has, [exchangeId, new Date(now)])).length > 0;
  }

  /** Removes expired rows; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }

  /** Writes the buffered requests. Concurrent calls share one flush. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing ??= this.drain().finally(() => {
      this.flushing = undefined;
    });
    return this.flushing;
  }

  /** Writes the remaining requests. */
  async close(): Promise<void> {
    await this.flushing;
    await this.flush();
    clearTimeout(this.timer);
  }

  private async drain(): Promise<void> {
    while (this.buffer.length > 0) {
      const rows = this.buffer.splice(0, batchSize);
      await run(this.deps.db, insert, [JSON.stringify(rows)]).catch((error: unknown) => {
        this.deps.log.warn('refused-requests.lost', { count: rows.length, ...errorFields(error) });
      });
    }
  }

  private rowOf({ exchangeId, partner, request, receivedAt }: RefusedRequest): object {
    const { method, target, rawHeaders: headers, body } = request;
    const stored: StoredRequest = { method, target, headers, body: Buffer.from(body).toString('base64') };
    const context = refusedRequestSealContext({ exchange_id: exchangeId });
    return {
      exchange_id: exchangeId,
      partner_kind: partner.kind,
      partner_id: partner.id,
      sealed: sealText(this.deps.box, JSON.stringify(stored), context).toString('base64'),
      received_at: new Date(receivedAt).toISOString(),
      expires_at: new Date(receivedAt + keptForMs).toISOString(),
    };
  }
}

/** The content before sealing. */
interface StoredRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  /** The body in Base64. */
  readonly body: string;
}
