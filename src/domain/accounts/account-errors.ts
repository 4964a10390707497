import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';

/** Another account signs in by this email. */
export class AccountExists extends DomainError {
  constructor() {
    const fields = [{ path: 'email', rule: 'is taken' }];
    super('conflict', 'INVALID_INPUT', 'An account with this email exists', { fields, side: 'platform' });
  }
}

/** No account, session or link of an account has the id. */
export class UnknownAccount extends DomainError {
  constructor() {
    super('invalid', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** The given name and password sign nobody in; the error does not say which is wrong. */
export class SignInRefused extends DomainError {
  constructor(message = 'The email or the password is wrong') {
    super('unauthenticated', 'ACCESS_DENIED', message, { side: 'platform' });
  }
}
