import type { SampleLanguage } from '../../../../domain/credentials/explain/sample-languages';
import type { SignatureHash, TimestampPrecision } from '../../../../domain/credentials/signing/signature-settings';
import type { Placeholder } from '../../../../domain/credentials/signing/signing-template';

/** A part of the signed text: the expression of its value. */
export interface Piece {
  readonly code: string;
  /** Whether the value is the body, which is bytes and no text. */
  readonly isBody: boolean;
}

/** How a language prints what depends on the settings. */
export interface Dialect {
  /** The variables of the joined values and of the signature. */
  readonly names: Readonly<Record<Placeholder | 'signature', string>>;
  /** The name of a constant where it is declared. Absent: as where it is used. */
  declared?(name: Placeholder): string;
  readonly hashes: Readonly<Record<SignatureHash, string>>;
  /** The expression of the time, or of its units, in each precision. */
  readonly times: Readonly<Record<TimestampPrecision, string>>;
  readonly quoted: (text: string) => string;
  /** Joins texts. */
  readonly glue: string;
  /** One expression of all pieces. Absent where the program adds them one by one. */
  joined?(pieces: readonly Piece[]): string;
}

const upper: Dialect['hashes'] = {
  ...{ 'SHA-224': 'SHA224', 'SHA-256': 'SHA256', 'SHA-384': 'SHA384', 'SHA-512': 'SHA512', 'SHA-1': 'SHA1', MD5: 'MD5' },
};
const lower: Dialect['hashes'] = {
  ...{ 'SHA-224': 'sha224', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512', 'SHA-1': 'sha1', MD5: 'md5' },
};
/** A string literal of C-like languages. */
const quoted = (text: string): string => JSON.stringify(text);

const typescript: Dialect = {
  names: {
    ...{ request_method: 'method', url: 'url', client_id: 'clientId', timestamp: 'timestamp', nonce: 'nonce' },
    ...{ identity: 'identity', merchant_id: 'merchantId', payload: 'body', signature: 'signature' },
  },
  hashes: lower,
  times: {
    seconds: 'String(Math.floor(Date.now() / 1000))',
    milliseconds: 'String(Date.now())',
    microseconds: 'String(Date.now()) + "000"',
    nanoseconds: 'String(Date.now()) + "000000"',
  },
  quoted,
  glue: ' + ',
  joined: (pieces) => pieces.map(({ code }) => code).join(', '),
};

const python: Dialect = {
  names: {
    ...{ request_method: 'method', url: 'url', client_id: 'CLIENT_ID', timestamp: 'timestamp', nonce: 'nonce' },
    ...{ identity: 'IDENTITY', merchant_id: 'MERCHANT_ID', payload: 'body', signature: 'signature' },
  },
  hashes: lower,
  times: { seconds: '1_000_000_000', milliseconds: '1_000_000', microseconds: '1_000', nanoseconds: '1' },
  quoted,
  glue: ' + ',
  joined: (pieces) => pieces.map(({ code, isBody }) => (isBody ? code : `${code}.encode()`)).join(' + '),
};

const java: Dialect = {
  names: python.names,
  hashes: upper,
  times: {
    seconds: 'now.getEpochSecond()',
    milliseconds: 'now.toEpochMilli()',
    microseconds: '(now.getEpochSecond() * 1_000_000L + now.getNano() / 1_000)',
    nanoseconds: '(now.getEpochSecond() * 1_000_000_000L + now.getNano())',
  },
  quoted,
  glue: ' + ',
};

const go: Dialect = {
  names: { ...typescript.names, client_id: 'clientID', merchant_id: 'merchantID' },
  hashes: {
    ...{ 'SHA-224': 'sha256.New224', 'SHA-256': 'sha256.New', 'SHA-384': 'sha512.New384', 'SHA-512': 'sha512.New' },
    ...{ 'SHA-1': 'sha1.New', MD5: 'md5.New' },
  },
  times: { seconds: 'Unix', milliseconds: 'UnixMilli', microseconds: 'UnixMicro', nanoseconds: 'UnixNano' },
  quoted,
  glue: ' + ',
};

const php: Dialect = {
  names: {
    ...{ request_method: '$method', url: '$url', client_id: '$clientId', timestamp: '$timestamp', nonce: '$nonce' },
    ...{ identity: '$identity', merchant_id: '$merchantId', payload: '$body', signature: '$signature' },
  },
  hashes: lower,
  times: {
    seconds: '(string) time()',
    milliseconds: "sprintf('%d', microtime(true) * 1000)",
    microseconds: "sprintf('%d', microtime(true) * 1000000)",
    nanoseconds: "sprintf('%d000', microtime(true) * 1000000)",
  },
  /** In double quotes, `$` would begin a variable. */
  quoted: (text) => JSON.stringify(text).replaceAll('$', '\\$'),
  glue: ' . ',
  joined: (pieces) => pieces.map(({ code }) => code).join(' . '),
};

const shell: Dialect = {
  names: {
    ...{ request_method: '"$method"', url: '"$url"', client_id: '"$client_id"', timestamp: '"$timestamp"', nonce: '"$nonce"' },
    ...{ identity: '"$identity"', merchant_id: '"$merchant_id"', payload: 'body', signature: '"$signature"' },
  },
  declared: (name) => name,
  hashes: lower,
  /** Units finer than seconds need GNU `date`. */
  times: { seconds: '+%s', milliseconds: '+%s%3N', microseconds: '+%s%6N', nanoseconds: '+%s%N' },
  /** A bash literal with escaped line breaks and quotes. */
  quoted: (text) => `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`,
  glue: '',
  joined: (pieces) => pieces.map(({ code, isBody }) => (isBody ? 'cat "$folder/body"' : `printf '%s' ${code}`)).join('; '),
};

export const dialects: Readonly<Record<SampleLanguage, Dialect>> = { typescript, python, java, go, php, shell };
