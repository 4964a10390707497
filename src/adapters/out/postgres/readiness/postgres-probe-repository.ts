import type { DataSource } from 'typeorm';
import type { IntegrationKey } from '../../../../domain/partners/ports';
import type { Probe, ProbeRepository } from '../../../../domain/readiness/ports';
import type { EndpointProbeRow } from './readiness.schema';
import { run, type Statement } from '../connection/statement';

const columns = 'partner_kind, partner_id, endpoint, url, at, ms, status, problem, tls_until';

const list: Statement = {
  name: 'endpoint-probes.list',
  text: `
    select ${columns} from endpoint_probes
    where (partner_kind = 'host-app' and partner_id = any($1::text[])) or (partner_kind = 'miniapp' and partner_id = any($2::text[]))
    order by partner_kind, partner_id, endpoint`,
};

const keep: Statement = {
  name: 'endpoint-probes.keep',
  text: `
    insert into endpoint_probes (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (partner_kind, partner_id, endpoint) do update
    set url = excluded.url, at = excluded.at, ms = excluded.ms, status = excluded.status, problem = excluded.problem, tls_until = excluded.tls_until`,
};

/** The last probe of each URL of a partner, in Postgres. */
export class PostgresProbeRepository implements ProbeRepository {
  constructor(private readonly db: DataSource) {}

  async list(pairs: readonly IntegrationKey[]): Promise<readonly Probe[]> {
    const partners = [pairs.map(({ clientId }) => clientId), pairs.map(({ appId }) => appId)];
    return (await run<EndpointProbeRow>(this.db, list, partners)).map((row) => ({
      partnerKind: row.partner_kind,
      partnerId: row.partner_id,
      endpoint: row.endpoint,
      url: row.url,
      at: row.at.getTime(),
      ms: row.ms,
      status: row.status ?? undefined,
      problem: row.problem ?? undefined,
      tlsUntil: row.tls_until?.getTime(),
    }));
  }

  async keep({ partnerKind, partnerId, endpoint, url, at, ms, status, problem, tlsUntil }: Probe): Promise<void> {
    const found = [Math.round(ms), status ?? null, problem ?? null, tlsUntil === undefined ? null : new Date(tlsUntil)];
    await run(this.db, keep, [partnerKind, partnerId, endpoint, url, new Date(at), ...found]);
  }
}
