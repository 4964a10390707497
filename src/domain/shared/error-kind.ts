/**
 * All kinds of failures. One table per transport maps a kind to a status; partners read the code. A kind tells the cause, so one code can
 * be sent with two statuses (contract/conventions#statuses).
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'not-ready'
  | 'partner-refused'
  | 'partner-garbled'
  | 'partner-unreachable'
  | 'no-such-path'
  | 'wrong-method'
  | 'too-large'
  | 'wrong-media-type'
  | 'too-many'
  | 'unavailable'
  | 'fault';
