import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';

/** The two kinds of partner. */
export type PartnerKind = 'host-app' | 'miniapp';

/** What the id of a partner is called. */
export const idName: Readonly<Record<PartnerKind, string>> = { 'host-app': 'client_id', miniapp: 'app_id' };

/** The id is taken by another partner of the same kind. */
export class PartnerExists extends DomainError {
  constructor(kind: PartnerKind) {
    const fields = [{ path: idName[kind], rule: 'is taken' }];
    super('conflict', 'INVALID_INPUT', `A ${kind} with this ${idName[kind]} exists`, { fields, side: 'platform' });
  }
}

/** No partner of this kind has the id. */
export class UnknownPartner extends DomainError {
  constructor(readonly partner: PartnerKind) {
    const code = partner === 'host-app' ? 'HOSTAPP_NOT_FOUND' : 'MINIAPP_NOT_FOUND';
    super('invalid', code, catalogue[code].meaning, { side: 'platform' });
  }
}

/** There is no agreement between the two partners, accepted or not. */
export class UnknownAgreement extends DomainError {
  constructor() {
    super('invalid', 'NO_INTEGRATION', 'The host app and the miniapp have no integration', { side: 'platform' });
  }
}

/** The record has another version than the one that the change was made for. */
export class StaleVersion extends DomainError {
  constructor() {
    super('conflict', 'DATA_INTEGRITY_ERROR', 'The record was changed in the meantime; read it again', { side: 'platform' });
  }
}

/** The partner has no such value of the credential, or has it no more. */
export class UnknownCredentialValue extends DomainError {
  constructor() {
    super('invalid', 'INVALID_INPUT', 'There is no such value of this credential', { side: 'platform' });
  }
}

/** Nothing is tried beside the partner's signature settings. */
export class UnknownShadow extends DomainError {
  constructor() {
    super('invalid', 'NOT_FOUND', 'No signature settings are tried', { side: 'platform' });
  }
}
