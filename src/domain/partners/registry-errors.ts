import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';

/** The two kinds of partner. */
export type PartnerKind = 'host-app' | 'miniapp';

/** The field name of a partner's id. */
export const idName: Readonly<Record<PartnerKind, string>> = { 'host-app': 'client_id', miniapp: 'app_id' };

/** Thrown when another partner of the same kind has the id. */
export class PartnerExists extends DomainError {
  constructor(kind: PartnerKind) {
    const fields = [{ path: idName[kind], rule: 'is taken' }];
    super('conflict', 'INVALID_INPUT', `A ${kind} with this ${idName[kind]} exists`, { fields, side: 'platform' });
  }
}

/** Thrown when no partner of this kind has the id. */
export class UnknownPartner extends DomainError {
  constructor(readonly partner: PartnerKind) {
    const code = partner === 'host-app' ? 'HOSTAPP_NOT_FOUND' : 'MINIAPP_NOT_FOUND';
    super('not-found', code, catalogue[code].meaning, { side: 'platform' });
  }
}

/** Thrown when the two partners have no integration, accepted or not. */
export class UnknownIntegration extends DomainError {
  constructor() {
    super('not-found', 'NO_INTEGRATION', 'The host app and the miniapp have no integration', { side: 'platform' });
  }
}

/** Thrown when the record's version is not the one that the change was made for. */
export class StaleVersion extends DomainError {
  constructor() {
    super('conflict', 'DATA_INTEGRITY_ERROR', 'The record was changed in the meantime; read it again', { side: 'platform' });
  }
}

/** Thrown when the partner has no value in this slot of the credential. */
export class UnknownCredentialValue extends DomainError {
  constructor() {
    super('not-found', 'INVALID_INPUT', 'There is no such value of this credential', { side: 'platform' });
  }
}

/** Thrown when the partner has no dry run of signature settings. */
export class UnknownDryRun extends DomainError {
  constructor() {
    super('not-found', 'NOT_FOUND', 'No signature settings are tried', { side: 'platform' });
  }
}
