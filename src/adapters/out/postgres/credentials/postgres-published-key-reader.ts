import type { DataSource } from 'typeorm';
import type { CredentialSlot } from '../../../../domain/credentials/credential';
import type { PublishedKey, PublishedKeyReader } from '../../../../domain/credentials/ports';
import { defaultSignatureSettings, type SignatureHash } from '../../../../domain/credentials/signing/signature-settings';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import { run, type Statement } from '../connection/statement';

// Sorted by fingerprint: the order of the rows would reveal which keys belong to one app.
const listKeys: Statement = {
  name: 'published-keys.list',
  text: `
    select c.partner_kind, c.partner_id, c.slot, c.public_key, c.fingerprint, c.created_at, c.valid_until,
      coalesce(h.settings, m.settings) #>> '{signature,hash}' as hash
    from partner_credentials c
      left join host_apps h on c.partner_kind = 'host-app' and h.id = c.partner_id
      left join miniapps m on c.partner_kind = 'miniapp' and m.id = c.partner_id
    where c.kind = 'platform_key' and c.public_key is not null and (c.valid_until is null or c.valid_until > $1)
    order by c.fingerprint`,
};

interface Row {
  readonly partner_kind: PartnerKind;
  readonly partner_id: string;
  readonly slot: CredentialSlot;
  readonly public_key: string;
  readonly fingerprint: string;
  readonly created_at: Date;
  readonly valid_until: Date | null;
  readonly hash: SignatureHash | null;
}

const maxAgeMs = 1000;

/** The platform's public keys, read at most once a second however many callers ask. */
export class PostgresPublishedKeyReader implements PublishedKeyReader {
  private reading: { readonly at: number; readonly keys: Promise<readonly PublishedKey[]> } | undefined;

  constructor(
    private readonly db: DataSource,
    /** A monotonic clock in milliseconds. */
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  list(now: number): Promise<readonly PublishedKey[]> {
    const { reading } = this;
    if (reading && this.elapsed() - reading.at < maxAgeMs) return reading.keys;
    const started = { at: this.elapsed(), keys: this.read(now) };
    this.reading = started;
    // A failed read is not cached.
    started.keys.catch(() => {
      if (this.reading === started) this.reading = undefined;
    });
    return started.keys;
  }

  private async read(now: number): Promise<readonly PublishedKey[]> {
    return (await run<Row>(this.db, listKeys, [new Date(now)])).map(keyFrom);
  }
}

const keyFrom = (row: Row): PublishedKey => ({
  partner: row.partner_kind,
  id: row.partner_id,
  slot: row.slot,
  publicKey: row.public_key,
  fingerprint: row.fingerprint,
  createdAt: row.created_at.getTime(),
  ...(row.valid_until && { validUntil: row.valid_until.getTime() }),
  hash: row.hash ?? defaultSignatureSettings.hash,
});
