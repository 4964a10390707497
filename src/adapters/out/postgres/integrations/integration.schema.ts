import { EntitySchema } from 'typeorm';
import {
  defaultIntegrationSettings,
  type IntegrationRecord,
  type IntegrationSettings,
  type Proposal,
} from '../../../../domain/partners/integrations/integration';
import type { IntegrationChange } from '../../../../domain/partners/ports';
import { deepFreeze } from '../../../../domain/shared/deep-freeze';
import { withSharedParts } from '../partners/shared-parts';

/** A row of integrations. Status and merchant id have their own columns; `settings` holds the rest. */
export interface IntegrationRow {
  id: string;
  client_id: string;
  app_id: string;
  version: number;
  status: IntegrationSettings['status'];
  merchant_id: string | null;
  settings: StoredSettings;
  /** A partner's proposal. An earlier release may leave it in place after the status is no longer `proposed`. */
  proposal: Proposal | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * The JSON in `settings`. The previous version reads and writes only `checkSenderCredentials`, which is true when the host app is checked
 * too.
 */
type StoredSettings = Omit<IntegrationSettings, 'status' | 'merchantId' | 'hostAppEventsCheckedBy'> &
  Partial<Pick<IntegrationSettings, 'hostAppEventsCheckedBy'>> & { readonly checkSenderCredentials?: boolean };

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
    proposal: { type: 'jsonb', nullable: true },
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

/** A row of removed_integrations: the partners of a removed id that consents and payments still use. */
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

/** Maps a row to a frozen record. */
export function integrationRecordFrom(row: Omit<IntegrationRow, 'created_at' | 'updated_at'>): IntegrationRecord {
  const { checkSenderCredentials, ...stored } = row.settings;
  const settings: IntegrationSettings = withSharedParts({
    ...defaultIntegrationSettings,
    ...(checkSenderCredentials === true && { hostAppEventsCheckedBy: 'both' as const }),
    ...stored,
    status: row.status,
    ...(row.merchant_id === null ? {} : { merchantId: row.merchant_id }),
  });
  const proposal = row.status === 'proposed' ? row.proposal : null;
  const { id, client_id: clientId, app_id: appId, version } = row;
  return deepFreeze({ id, clientId, appId, version, settings, ...(proposal && { proposal }) });
}

/** The columns that a change of an integration writes. */
export function changedColumns({ settings, proposal }: Pick<IntegrationChange, 'settings' | 'proposal'>): ChangedColumns {
  const { status, merchantId, ...rest } = settings;
  // The previous version must not accept events without the host app's own credentials when they are required.
  const stored: StoredSettings = { ...rest, checkSenderCredentials: settings.hostAppEventsCheckedBy !== 'miniapp' };
  return { status, merchant_id: merchantId ?? null, settings: stored, proposal: proposal ?? null };
}

type ChangedColumns = Pick<IntegrationRow, 'status' | 'merchant_id' | 'settings' | 'proposal'>;
