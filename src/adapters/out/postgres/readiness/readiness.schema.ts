import { EntitySchema } from 'typeorm';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';

/** A row of endpoint_probes: the result of the last probe of a partner's URL. */
export interface EndpointProbeRow {
  partner_kind: PartnerKind;
  partner_id: string;
  endpoint: string;
  url: string;
  at: Date;
  ms: number;
  status: number | null;
  problem: string | null;
  tls_until: Date | null;
}

const key = { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'endpoint_probes_pkey' } as const;

export const endpointProbeSchema = new EntitySchema<EndpointProbeRow>({
  name: 'EndpointProbeGateway',
  tableName: 'endpoint_probes',
  columns: {
    ...{ partner_kind: key, partner_id: key, endpoint: key },
    url: { type: 'text' },
    at: { type: 'timestamptz' },
    ms: { type: 'integer' },
    status: { type: 'integer', nullable: true },
    problem: { type: 'text', nullable: true },
    tls_until: { type: 'timestamptz', nullable: true },
  },
});

/** A row of live_integrations: the actor who marked an integration as live, and the items missing then. */
export interface LiveIntegrationRow {
  integration_id: string;
  at: Date;
  actor: string;
  reason: string | null;
  missing: string[];
}

export const liveIntegrationSchema = new EntitySchema<LiveIntegrationRow>({
  name: 'LiveIntegration',
  tableName: 'live_integrations',
  columns: {
    integration_id: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'live_integrations_pkey' },
    at: { type: 'timestamptz' },
    actor: { type: 'text' },
    reason: { type: 'text', nullable: true },
    missing: { type: 'text', array: true },
  },
});
