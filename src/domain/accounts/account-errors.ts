import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';

/** Thrown when another account has this email. */
export class AccountExists extends DomainError {
  constructor() {
    const fields = [{ path: 'email', rule: 'is taken' }];
    super('conflict', 'INVALID_INPUT', 'An account with this email exists', { fields, side: 'platform' });
  }
}

/** Thrown when no account, session or link has the id. */
export class UnknownAccount extends DomainError {
  constructor() {
    super('not-found', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** Thrown for a wrong email or password; the error does not say which is wrong. */
export class SignInRefused extends DomainError {
  constructor(message = 'The email or the password is wrong') {
    super('unauthenticated', 'ACCESS_DENIED', message, { side: 'platform' });
  }
}
