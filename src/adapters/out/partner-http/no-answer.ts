import type { UnreachableCause } from '../../../domain/partners/partner-errors';

/** No answer arrived. Holds only a reason of the service, no byte that was sent or received. */
export class NoAnswer extends Error {
  constructor(
    readonly reason: UnreachableCause,
    /** True when a keep-alive connection was closed before the partner received the request. */
    readonly staleConnection: boolean,
  ) {
    super(reason);
    this.name = 'NoAnswer';
  }
}

/** Codes of a connection that the other side closed or reset; the last one is undici's. */
const closed = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/**
 * Maps a transport error to a reason, and tells whether the connection was closed. `isSent`: a byte of the request was written. Source:
 * contract/partner-calls#no-answer.
 */
export function reasonOf(error: Error, { isSent }: { readonly isSent: boolean }): { reason: UnreachableCause; isClosed: boolean } {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const reason = isSent ? causeOnceSent(error.name, code) : causeBeforeSending(code, syscall);
  return { reason, isClosed: reason === 'reset' && closed.includes(code) };
}

/** Error codes of lookups: those of Node and of the resolver library. */
const isLookup = (code: string, syscall: string | undefined): boolean =>
  /^(getaddrinfo|query[A-Z]*)$/.test(syscall ?? '') || /^(ENOTFOUND|ENODATA|EAI_[A-Z]+|NAME_NOT_RESOLVED)$/.test(code);

const beforeSending: Readonly<Record<string, UnreachableCause>> = {
  ADDRESS_REFUSED: 'denied-address',
  CONNECT_TIMEOUT: 'connect-timeout',
  ETIMEDOUT: 'connect-timeout',
  TLS_TIMEOUT: 'tls-protocol',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-host-name',
  HOSTNAME_MISMATCH: 'tls-host-name',
};

/** Codes of OpenSSL's certificate verification, passed on by Node. */
const isCertificate = (code: string): boolean =>
  /^(CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_|ERROR_IN_CERT_|ERROR_IN_CRL_|PATH_LENGTH_EXCEEDED)/.test(code);

function causeBeforeSending(code: string, syscall: string | undefined): UnreachableCause {
  if (isLookup(code, syscall)) return 'dns';
  const known = beforeSending[code];
  if (known !== undefined) return known;
  if (isCertificate(code)) return 'tls-certificate';
  // The connection was established but failed before the request; between the two there is only the TLS handshake.
  const isTls = code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || closed.includes(code);
  return isTls && syscall !== 'connect' ? 'tls-protocol' : 'connect';
}

/** Codes of undici, of Node and of this service. */
const headersTooLarge = ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW', 'HEADERS_TOO_LARGE'];

function causeOnceSent(name: string, code: string): UnreachableCause {
  if (headersTooLarge.includes(code)) return 'headers-too-large';
  // The connection ended within a response.
  if (code === 'HPE_INVALID_EOF_STATE') return 'reset';
  // undici's parser throws errors without a code.
  return name === 'HTTPParserError' || code.startsWith('HPE_') || code === 'NOT_HTTP' ? 'not-http' : 'reset';
}
