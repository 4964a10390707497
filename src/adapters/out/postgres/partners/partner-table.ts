import type { EntitySchema } from 'typeorm';
import { defaultSignatureSettings } from '../../../../domain/credentials/signature-settings';
import type { Credentials } from '../../../../domain/credentials/credential';
import type { SecretBox } from '../../../../domain/credentials/ports';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../../domain/partners/host-app';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../../domain/partners/miniapp';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import { deepFreeze } from '../../../../domain/shared/deep-freeze';
import { openText } from '../sealed-text';
import { readable } from '../unreadable';
import { credentialPlace, credentialsFrom, hostAppSchema, miniappSchema, type CredentialRow, type PartnerRow } from './partner.schema';
import { withSharedParts } from './shared-parts';

/** What of a partner's row a record is made from. */
export type PartnerState = Pick<PartnerRow, 'id' | 'version' | 'settings'>;

/** A partner beside its credentials, all of one state. */
export interface PartnerWithCredentials extends PartnerState {
  readonly credentials: readonly CredentialRow[];
}

/** What differs between host apps and miniapps in storage. */
export interface PartnerTable<Partner> {
  readonly kind: PartnerKind;
  readonly schema: EntitySchema<PartnerRow>;
  readonly partner: (row: PartnerState, credentials: Credentials) => Partner;
}

/** What a row of an earlier release does not say has its default. */
const settingsFrom = <Settings extends HostAppSettings | MiniappSettings>(defaults: Omit<Settings, 'name'>, stored: object): Settings => {
  const { signature, ...rest } = stored as Settings;
  return withSharedParts({ ...defaults, ...rest, signature: Object.assign({}, defaultSignatureSettings, signature) } as Settings);
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

/** A partner with its credentials opened, as a frozen record. Throws where one does not open. */
export const partnerFrom = <Partner extends object>(table: PartnerTable<Partner>, row: PartnerWithCredentials, box: SecretBox): Partner =>
  partnerOpenedBy(table, row, (credential) => openText(box, credential.sealed, credentialPlace(credential)));

/** The same, to be shown and not to be used: a credential that does not open is empty, and marked. */
export const shownPartnerFrom = <Partner extends object>(
  table: PartnerTable<Partner>,
  row: PartnerWithCredentials,
  box: SecretBox,
): Partner => partnerOpenedBy(table, row, (credential) => readable(() => openText(box, credential.sealed, credentialPlace(credential))));

const partnerOpenedBy = <Partner extends object>(
  table: PartnerTable<Partner>,
  row: PartnerWithCredentials,
  open: (credential: CredentialRow) => string | undefined,
): Partner => deepFreeze(table.partner(row, credentialsFrom(row.credentials, open)));
