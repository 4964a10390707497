import type { EntitySchema } from 'typeorm';
import { defaultSignatureSettings } from '../../../../domain/credentials/signing/signature-settings';
import type { Credentials } from '../../../../domain/credentials/credential';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../../domain/partners/host-app';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../../domain/partners/miniapp';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import { deepFreeze } from '../../../../domain/shared/deep-freeze';
import { openText } from '../sealing/sealed-text';
import { readable } from '../sealing/unreadable';
import {
  credentialSealContext,
  credentialsFrom,
  hostAppSchema,
  miniappSchema,
  type CredentialRow,
  type PartnerRow,
} from './partner.schema';
import { withSharedParts } from './shared-parts';

/** The columns of a partner's row that a record needs. */
export type PartnerState = Pick<PartnerRow, 'id' | 'version' | 'settings'>;

/** A partner with its credentials, from one snapshot. */
export interface PartnerWithCredentials extends PartnerState {
  readonly credentials: readonly CredentialRow[];
}

/** The differences between host apps and miniapps in storage. */
export interface PartnerTable<Partner> {
  readonly kind: PartnerKind;
  readonly schema: EntitySchema<PartnerRow>;
  readonly partner: (row: PartnerState, credentials: Credentials) => Partner;
}

/** Members that a row of an earlier release lacks get their defaults. */
const settingsFrom = <Settings extends HostAppSettings | MiniappSettings>(defaults: Omit<Settings, 'name'>, stored: object): Settings => {
  const signature = Object.assign({}, defaultSignatureSettings, (stored as Settings).signature);
  return withSharedParts(Object.assign({}, defaults, stored, { signature }) as Settings);
};

export const hostAppTable: PartnerTable<HostApp> = {
  kind: 'host-app',
  schema: hostAppSchema,
  partner: ({ id, version, settings }, credentials) => {
    return { kind: 'host-app', id, version, settings: settingsFrom<HostAppSettings>(defaultHostAppSettings, settings), credentials };
  },
};

export const miniappTable: PartnerTable<Miniapp> = {
  kind: 'miniapp',
  schema: miniappSchema,
  partner: ({ id, version, settings }, credentials) => {
    return { kind: 'miniapp', id, version, settings: settingsFrom<MiniappSettings>(defaultMiniappSettings, settings), credentials };
  },
};

/** A partner with decrypted credentials, as a frozen record. A credential that cannot be decrypted is marked. */
export const partnerFrom = <Partner extends object>(
  table: PartnerTable<Partner>,
  row: PartnerWithCredentials,
  box: SecretCipher,
): Partner => {
  const open = (one: CredentialRow) => readable(() => openText(box, one.sealed, credentialSealContext(one)));
  return deepFreeze(table.partner(row, credentialsFrom(row.credentials, open)));
};
