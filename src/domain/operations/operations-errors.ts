import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';

/** Thrown when no serving instance, or no run, has the id. */
export class UnknownOperation extends DomainError {
  constructor() {
    super('not-found', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** Thrown when another run of this kind is in progress. */
export class AlreadyRunning extends DomainError {
  constructor() {
    super('conflict', 'DATA_INTEGRITY_ERROR', 'Another run is under way; wait for its end or cancel it', { side: 'platform' });
  }
}
