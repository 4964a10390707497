import { QueryFailedError } from 'typeorm';
import type { ServerAddress } from './server-address';

type Advice = (address: ServerAddress) => string;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const hostAdvice: Advice = ({ setting }) => `Correct the host and the port in ${setting}, or start Postgres there`;
const certificateAdvice: Advice = ({ setting }) =>
  `The certificate of the server is from no authority that is known here: name the file of its authority with sslrootcert=… in ${setting}`;
const passwordAdvice: Advice = ({ user, setting }) =>
  `Set the password of the role ${quoted(user)} in ${setting}, percent-encoded where it holds one of % # / ? @ : (% is %25, # is %23, / is %2F)`;
const ownCertificateAdvice: Advice = ({ setting }) =>
  `The server does not trust the certificate of sslcert in ${setting}: name one from an authority of its ssl_ca_file, which has not expired`;
const ownKeyAdvice: Advice = ({ setting }) => `The key of sslkey cannot be decrypted: give its password as sslpassword=… in ${setting}`;
const ownFilesAdvice: Advice = ({ setting }) =>
  `sslcert and sslkey in ${setting} must name PEM files, one of a certificate and one of its private key`;

/** The remedy for a failed connect by SQLSTATE (PostgreSQL, appendix A) or Node error code. */
const byCode: Readonly<Record<string, Advice>> = {
  '28P01': passwordAdvice,
  '28000': ({ user, setting }) =>
    `Create the role ${quoted(user)} with the right to log in, allow it in pg_hba.conf, or set another one in ${setting}; a server that wants TLS needs sslmode=require there, and one that wants a certificate for this role sslcert=… and sslkey=…`,
  '3D000': ({ user, database, setting }) =>
    `Run "create database ${quoted(database)} owner ${quoted(user)}", or name another database in ${setting}`,
  '42501': ({ user, database, setting }) =>
    `Run "grant connect on database ${quoted(database)} to ${quoted(user)}", or set another role in ${setting}`,
  '53300': ({ user }) =>
    `All connections of the server, or of the role ${quoted(user)}, are taken: lower DATABASE_POOL, of which each process has one and one connection more, or raise the limit`,
  '25006': ({ setting }) =>
    `It is a standby, or default_transaction_read_only is on for the role or the database: name the primary in ${setting}, or run "alter database … reset default_transaction_read_only"`,
  '08P01': ({ setting }) =>
    `A pooler may take no start parameters: leave options=… out of ${setting} and use "alter role … set …"; one that wants TLS needs sslmode=require`,
  '57P03': () => 'It is starting or stopping: try again in a moment',
  ECONNREFUSED: hostAdvice,
  ENOTFOUND: ({ setting }) => `The name of the host is not known: correct it in ${setting}, or the name server of this machine`,
  EAI_AGAIN: ({ setting }) => `The name server does not answer: correct the host in ${setting}, or the name server of this machine`,
  ENOENT: ({ setting }) => `There is no socket in that folder: correct host=… and port=… in ${setting}, or start Postgres`,
  EACCES: ({ setting }) => `The user of this process may not use the socket: give it the right, or set another host in ${setting}`,
  EHOSTUNREACH: hostAdvice,
  ENETUNREACH: hostAdvice,
  ETIMEDOUT: hostAdvice,
  SELF_SIGNED_CERT_IN_CHAIN: certificateAdvice,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificateAdvice,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificateAdvice,
  UNABLE_TO_GET_ISSUER_CERT: certificateAdvice,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificateAdvice,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ setting }) =>
    `The certificate is for another name: use that name in ${setting}, or sslmode=verify-ca, which does not look at it`,
  CERT_HAS_EXPIRED: () => 'Renew the certificate of the server',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: ownCertificateAdvice,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: ownCertificateAdvice,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: ownCertificateAdvice,
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: ({ setting }) => `sslkey in ${setting} is not the key of sslcert: name the two files of one pair`,
  ERR_OSSL_BAD_DECRYPT: ownKeyAdvice,
  ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED: ownKeyAdvice,
  ERR_OSSL_UNSUPPORTED: ownFilesAdvice,
  ERR_OSSL_PEM_NO_START_LINE: ownFilesAdvice,
};

/** Driver errors without a code. */
const byMessage: readonly (readonly [RegExp, Advice])[] = [
  [/password must be/, passwordAdvice],
  [
    /does not support SSL/,
    ({ setting }) =>
      `Turn TLS on at the server; where the network between is private, sslmode=prefer (TLS where it is offered) or sslmode=disable in ${setting} will do`,
  ],
  [
    /message from backend/,
    ({ setting }) => `What answers there does not speak as Postgres does: correct the host and the port in ${setting}`,
  ],
  [
    /timeout|timed out/i,
    ({ setting }) => `It does not answer in time: correct the host and the port in ${setting}, or open the firewall between`,
  ],
];

/** One sentence with the setting or statement that solves the problem. `undefined` when there is no advice. */
export function adviceOn(error: unknown, address: ServerAddress): string | undefined {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  return (byCode[code] ?? byMessage.find(([pattern]) => pattern.test(message))?.[1])?.(address);
}

/** Like `adviceOn`, for a migration that the role may not run. */
export function adviceOnRights(error: unknown, { user, setting }: ServerAddress): string | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { code } = error.driverError as { readonly code?: string };
  if (code === '42501')
    return `${quoted(user)} of ${setting} does not own the tables: set MIGRATION_DATABASE_URL to the role that does, or start with MIGRATE=off and run "pierhead migrate" as that role`;
  return code === '42704' ? 'Create the role that serves first: "create role … login"' : undefined;
}
