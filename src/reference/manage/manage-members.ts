import { text, whole, type Members } from '../../adapters/dto/schema';
import { answeredRequestId, appId, clientId } from '../../adapters/dto/shared-members';

// Headers and parameters that many calls of the manage API share.

export const everyHeader: Members = { 'X-Request-Id!': answeredRequestId };
export const etag: Members = { 'ETag!': [text, 'Version of the record in quotes, for `If-Match`.'] };
export const ifMatch: Members = {
  'If-Match': [text, 'Version that is to be changed, from `ETag`; another one is refused with 412. Absent: any version.'],
};
export const ifNoneMatch: Members = {
  'If-None-Match': [{ ...text, const: '*' }, '`*`: the record is only made; one that is there stays as it is, and 412 says so.'],
};
export const location: Members = { 'Location!': [text, 'Path at which the new record is read.'] };
export const retryAfter: Members = { 'Retry-After!': [whole, 'Seconds after which the same call may be tried again.'] };

const id = { ...text, pattern: '^[A-Za-z0-9_-]{1,64}$' };
/** Path parameters by name. */
export const manageParameters: Members = {
  client_id: [id, clientId[1]],
  app_id: [id, appId[1]],
  id: [id, 'Id of the record, as lists and answers show it.'],
  conflict: [id, 'Id of the disagreement, from `disagreements` of the payment.'],
  queue: [{ ...text, pattern: '^[\\x21-\\x7e]{1,100}$' }, 'Name of the endpoint queue, such as `miniapp:app_abc123:completion`.'],
  partner: [{ ...text, enum: ['host-app', 'miniapp'] }, 'Which of the two simulated partners.'],
};
