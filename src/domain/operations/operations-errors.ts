import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';

/** No instance of this id serves, or no run of this id is there or under way. */
export class UnknownOperation extends DomainError {
  constructor() {
    super('invalid', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** Another run of this kind is under way. */
export class AlreadyRunning extends DomainError {
  constructor() {
    super('conflict', 'DATA_INTEGRITY_ERROR', 'Another run is under way; wait for its end or cancel it', { side: 'platform' });
  }
}
