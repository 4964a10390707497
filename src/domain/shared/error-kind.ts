/**
 * The closed list of ways to fail. Transports map a kind to a status in one table; the code is what partners read.
 * A kind tells the cause, so one code can leave with two statuses (contract/conventions#statuses).
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'conflict'
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
