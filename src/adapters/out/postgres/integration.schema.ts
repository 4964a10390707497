import { EntitySchema } from 'typeorm';
import { defaultIntegrationSettings, type Agreement, type IntegrationSettings } from '../../../domain/partners/integration';
import { deepFreeze } from '../../../domain/shared/deep-freeze';

/** A row of integrations. Status and merchant id are columns of their own; `settings` holds the rest. */
export interface IntegrationRow {
  id: string;
  client_id: string;
  app_id: string;
  version: number;
  status: IntegrationSettings['status'];
  merchant_id: string | null;
  settings: Omit<IntegrationSettings, 'status' | 'merchantId'>;
  created_at: Date;
  updated_at: Date;
}

export const integrationSchema = new EntitySchema<IntegrationRow>({
  name: 'Integration',
  tableName: 'integrations',
  columns: {
    id: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'integrations_pkey' },
    client_id: { type: 'text', collation: 'C' },
    app_id: { type: 'text', collation: 'C' },
    version: { type: 'integer' },
    status: { type: 'text' },
    merchant_id: { type: 'text', nullable: true },
    settings: { type: 'jsonb' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  uniques: [{ name: 'integrations_pair', columns: ['client_id', 'app_id'] }],
  indices: [{ name: 'integrations_by_miniapp', columns: ['app_id'] }],
  foreignKeys: [
    {
      name: 'integrations_host_app',
      target: 'HostApp',
      columnNames: ['client_id'],
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    },
    { name: 'integrations_miniapp', target: 'Miniapp', columnNames: ['app_id'], referencedColumnNames: ['id'], onDelete: 'CASCADE' },
  ],
});

/** A row of removed_integrations: whose an id was that consents and payments still name. */
export type RemovedIntegrationRow = Pick<IntegrationRow, 'id' | 'client_id' | 'app_id'>;

export const removedIntegrationSchema = new EntitySchema<RemovedIntegrationRow>({
  name: 'RemovedIntegration',
  tableName: 'removed_integrations',
  columns: {
    id: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'removed_integrations_pkey' },
    client_id: { type: 'text', collation: 'C' },
    app_id: { type: 'text', collation: 'C' },
  },
  indices: [{ name: 'removed_integrations_by_host_app', columns: ['client_id'] }],
});

/** A frozen record. */
export function agreementFrom(row: Omit<IntegrationRow, 'created_at' | 'updated_at'>): Agreement {
  const settings: IntegrationSettings = {
    ...defaultIntegrationSettings,
    ...row.settings,
    status: row.status,
    ...(row.merchant_id === null ? {} : { merchantId: row.merchant_id }),
  };
  return deepFreeze({ id: row.id, clientId: row.client_id, appId: row.app_id, version: row.version, settings });
}

/** The columns that an agreement's settings fill: status, merchant id, the rest as JSON text. */
export function settingsColumns({ status, merchantId, ...rest }: IntegrationSettings): [string, string | null, string] {
  return [status, merchantId ?? null, JSON.stringify(rest)];
}
