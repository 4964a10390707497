/** Why there was no answer, in one word (PartnerUnreachable). */
export type UnreachableCause = 'timeout' | 'dns' | 'connect' | 'reset' | 'tls' | 'address' | 'too-large' | 'redirect';

/** No answer came. Holds a word of ours and nothing of what was sent or received. */
export class NoAnswer extends Error {
  constructor(
    readonly reason: UnreachableCause,
    /** A connection kept from before was closed under the request: the partner has not seen it. */
    readonly staleConnection: boolean,
  ) {
    super(reason);
    this.name = 'NoAnswer';
  }
}

const reasons: Readonly<Record<string, UnreachableCause>> = {
  ADDRESS_REFUSED: 'address',
  CONNECT_TIMEOUT: 'connect',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  ETIMEDOUT: 'connect',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ENODATA: 'dns',
};

/** Codes of a connection that the other side has closed or reset; the last one is undici's. */
const closed = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** An error of the transport in one word, and whether it says that the connection was closed. */
export function reasonOf(error: Error, { isSent }: { readonly isSent: boolean }): { reason: UnreachableCause; isClosed: boolean } {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const reason = causeOf({ code, syscall }, isSent);
  return { reason, isClosed: reason === 'reset' && closed.includes(code) };
}

function causeOf({ code, syscall }: { code: string; syscall: string | undefined }, isSent: boolean): UnreachableCause {
  // Until TLS is agreed upon nothing of the request is sent; its errors look like those of a connection in use.
  if (code === 'EPROTO' && !isSent) return 'tls';
  // The connection was there and failed under the request: some codes alone do not tell this from one that never came about.
  if (isSent && (syscall === 'read' || syscall === 'write')) return 'reset';
  if (syscall === 'read' || syscall === 'write') return isTls(code) ? 'tls' : 'reset';
  return reasons[code] ?? (isTls(code) ? 'tls' : 'reset');
}

/** The codes of OpenSSL and of Node's certificate checks. */
const isTls = (code: string): boolean =>
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA)/.test(code);
