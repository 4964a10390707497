import type { AddressInfo } from 'node:net';
import { connect, createServer, type ConnectionOptions } from 'node:tls';
import { reasonOf } from '../../../src/adapters/out/partner-http/no-answer';
import { selfSigned } from '../../support/partners/self-signed';

const errorOf = (code: string, syscall?: string): Error => Object.assign(new Error(), { code, syscall });

it.each([
  ['ENOTFOUND', 'getaddrinfo', 'dns'],
  ['ECONNREFUSED', 'queryA', 'dns'],
  ['NAME_NOT_RESOLVED', undefined, 'dns'],
  ['ECONNREFUSED', 'connect', 'connect'],
  ['ECONNRESET', 'connect', 'connect'],
  ['EHOSTUNREACH', 'connect', 'connect'],
  ['EMFILE', 'connect', 'connect'],
  ['UND_ERR_DESTROYED', undefined, 'connect'],
  ['ETIMEDOUT', 'connect', 'connect-timeout'],
  ['CONNECT_TIMEOUT', undefined, 'connect-timeout'],
  ['ADDRESS_REFUSED', undefined, 'denied-address'],
  ['CERT_HAS_EXPIRED', undefined, 'tls-certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', undefined, 'tls-certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', undefined, 'tls-certificate'],
  ['CERT_REVOKED', undefined, 'tls-certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', undefined, 'tls-host-name'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', undefined, 'tls-protocol'],
  ['EPROTO', 'write', 'tls-protocol'],
  ['ECONNRESET', 'read', 'tls-protocol'],
  ['ECONNRESET', undefined, 'tls-protocol'],
  ['TLS_TIMEOUT', undefined, 'tls-protocol'],
])('before a byte was written, %s (%s) is %s', (code, syscall, reason) => {
  expect(reasonOf(errorOf(code, syscall), { isSent: false })).toEqual({ reason, isClosed: false });
});

it.each([
  ['ECONNRESET', 'read', 'reset', true],
  ['EPIPE', 'write', 'reset', true],
  ['UND_ERR_SOCKET', undefined, 'reset', true],
  ['ETIMEDOUT', 'read', 'reset', false],
  ['EPROTO', 'read', 'reset', false],
  ['HPE_INVALID_EOF_STATE', undefined, 'reset', false],
  ['HPE_INVALID_CONSTANT', undefined, 'not-http', false],
  ['NOT_HTTP', undefined, 'not-http', false],
  ['UND_ERR_HEADERS_OVERFLOW', undefined, 'headers-too-large', false],
  ['HPE_HEADER_OVERFLOW', undefined, 'headers-too-large', false],
  ['HEADERS_TOO_LARGE', undefined, 'headers-too-large', false],
])('once a byte was written, %s (%s) is %s', (code, syscall, reason, isClosed) => {
  expect(reasonOf(errorOf(code, syscall), { isSent: true })).toEqual({ reason, isClosed });
});

describe('a handshake', () => {
  const server = createServer({ ...selfSigned, minVersion: 'TLSv1.3' }).on('tlsClientError', () => undefined);
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each<[string, ConnectionOptions, string]>([
    ['with a certificate that nobody vouches for', { servername: 'partner.example' }, 'tls-certificate'],
    ['with a certificate for another name', { servername: 'other.example', ca: selfSigned.cert }, 'tls-host-name'],
    ['without a version in common', { servername: 'partner.example', ca: selfSigned.cert, maxVersion: 'TLSv1.2' }, 'tls-protocol'],
  ])('%s says so', async (_how, options, reason) => {
    const { port } = server.address() as AddressInfo;
    const error = await new Promise<Error>((resolve) => connect({ port, host: '127.0.0.1', ...options }).once('error', resolve));
    expect(reasonOf(error, { isSent: false }).reason).toBe(reason);
  });
});
