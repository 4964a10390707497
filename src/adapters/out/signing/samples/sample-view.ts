import { headerNameMembers } from '../../../../domain/credentials/signing/signature-rules';
import {
  defaultSignatureSettings,
  type SignatureHeaderNames,
  type SignatureSettings,
} from '../../../../domain/credentials/signing/signature-settings';
import { prepareSigning, type PreparedSigning } from '../../../../domain/credentials/signing/signing-string';
import type { Placeholder } from '../../../../domain/credentials/signing/signing-template';
import type { Dialect } from './dialects';

/** Maximum difference between a timestamp and the clock, in seconds. */
const windowS = 300;
const unitsPerSecond = { seconds: '1', milliseconds: '1000', microseconds: '1000000', nanoseconds: '1000000000' } as const;
const fixedNames = ['client_id', 'identity', 'merchant_id'] as const;

type FixedValues = Readonly<Record<(typeof fixedNames)[number], string>>;

/** A header to send. */
interface SentHeader {
  readonly name: string;
  readonly value: Exclude<Placeholder, 'payload' | 'url' | 'request_method'> | 'signature';
}

/**
 * The values of a template, for an app's settings in one language. A member that is `false`, `0`, empty or an empty list hides its section.
 * `merchantId` is the integration's.
 */
export function viewOf(settings: SignatureSettings, merchantId: string | undefined, dialect: Dialect): object {
  const fixed: FixedValues = {
    client_id: settings.apiClientId ?? 'your-api-client-id',
    identity: settings.identity ?? 'your-identity',
    merchant_id: merchantId ?? 'your-merchant-id',
  };
  const signing = prepareSigning(settings);
  const headers = headersOf(settings, signing);
  const wrapped = wrappedSignature(signing, dialect);
  const used = fixedNames.filter((name) => signing.uses.has(name) || headers.some(({ value }) => value === name));
  return {
    ...settingsView(settings, dialect),
    ...timeView(settings, dialect),
    ...textView(settings, signing, dialect),
    ...headersView(headers, wrapped, dialect),
    wrapped,
    constants: used.map((name) => ({ name: dialect.declared?.(name) ?? dialect.names[name], value: dialect.quoted(fixed[name]) })),
    agreed: agreedMembers(settings, used, fixed),
  };
}

function settingsView({ algorithm = 'HMAC', hash, encoding, nonceLength, keyFormat }: SignatureSettings, { hashes }: Dialect): object {
  const isHmac = algorithm === 'HMAC';
  const isHex = encoding === 'hex';
  return {
    ...{ isHmac, isRsa: algorithm === 'RSA2', isEcdsa: algorithm === 'ECDSA' },
    ...{ keyFormat, keyFormatLower: keyFormat.toLowerCase(), isPem: keyFormat === 'PEM' },
    ...{ hash: hashes[hash], hashId: hash.replace('-', ''), hashPackage: hashes[hash].split('.')[0] },
    ...{ isMd5: hash === 'MD5', isMd5Ecdsa: hash === 'MD5' && algorithm === 'ECDSA' },
    ...{ encoding, isBase64: encoding === 'base64', isBase64url: encoding === 'base64url', isHex },
    ...{ nonceLength, nonceBytes: Math.ceil(nonceLength / 2) },
    // Go refuses unused packages.
    ...{ usesHex: isHex || nonceLength > 0, usesBase64: !isHex || isHmac, usesRandom: !isHmac || nonceLength > 0 },
  };
}

function timeView({ timestampPrecision }: SignatureSettings, { times }: Dialect): object {
  const perSecond = unitsPerSecond[timestampPrecision];
  const isSeconds = timestampPrecision === 'seconds';
  return { time: times[timestampPrecision], windowS, nonceWindowS: 2 * windowS, isSeconds, perSecond, digits: perSecond.length - 1 };
}

/** The signed text, and the text around the signature. */
function textView({ urlForm }: SignatureSettings, { parts, uses, before, after }: PreparedSigning, dialect: Dialect): object {
  const pieces = parts.map((part) =>
    'text' in part
      ? { code: dialect.quoted(part.text), isBody: false }
      : { code: dialect.names[part.placeholder], isBody: part.placeholder === 'payload' },
  );
  const affix = (text: string): object => ({ text: dialect.quoted(text), length: text.length, isThere: text !== '' });
  return {
    ...{ isFullUrl: urlForm === 'full', usesUrl: uses.has('url') },
    ...{ pieces, joined: dialect.joined?.(pieces) },
    ...{ isBare: before + after === '', before: affix(before), after: affix(after), affixesLength: before.length + after.length },
  };
}

function wrappedSignature({ before, after }: PreparedSigning, { quoted, names, glue }: Dialect): string {
  return [before && quoted(before), names.signature, after && quoted(after)].filter((one) => one !== '').join(glue);
}

function headersView(headers: readonly SentHeader[], wrapped: string, { quoted, names }: Dialect): object {
  const sent = (wanted: SentHeader['value']): string => quoted(headers.find(({ value }) => value === wanted)?.name.toLowerCase() ?? '');
  return {
    headers: headers.map(({ name, value }) => ({ name: quoted(name), value: value === 'signature' ? wrapped : names[value] })),
    fixedHeaders: headers.flatMap(({ name, value }) =>
      isFixed(value) ? [{ name: quoted(name), lowerName: quoted(name.toLowerCase()), value: names[value] }] : [],
    ),
    sent: { timestamp: sent('timestamp'), nonce: sent('nonce'), signature: sent('signature') },
  };
}

const isFixed = (value: SentHeader['value']): value is (typeof fixedNames)[number] => (fixedNames as readonly string[]).includes(value);

function headersOf(settings: SignatureSettings, { uses }: PreparedSigning): readonly SentHeader[] {
  const { headerNames: names, apiClientId, identity, nonceLength } = settings;
  const headers: (SentHeader | false)[] = [
    (uses.has('client_id') || apiClientId !== undefined) && { name: names.clientId, value: 'client_id' },
    { name: names.timestamp, value: 'timestamp' },
    nonceLength > 0 && { name: names.nonce, value: 'nonce' },
    (uses.has('identity') || identity !== undefined) && { name: names.identity, value: 'identity' },
    uses.has('merchant_id') && { name: names.merchantId, value: 'merchant_id' },
    { name: names.signature, value: 'signature' },
  ];
  return headers.filter((header) => header !== false);
}

/** Names of the settings in an agreement of `pierhead/kit`. */
const agreedNames = {
  ...{ hash: 'hash', encoding: 'encoding', timestampPrecision: 'timestamp_precision', nonceLength: 'nonce_length' },
  ...{ payloadTemplate: 'payload_template', signatureTemplate: 'signature_template', urlForm: 'url_form' },
} as const;

/** The members of an agreement, without settings that equal the kit's defaults. */
function agreedMembers(
  settings: SignatureSettings,
  used: readonly (typeof fixedNames)[number][],
  fixed: FixedValues,
): readonly { readonly name: string; readonly value: string }[] {
  const { algorithm = 'HMAC', headerNames } = settings;
  const members = Object.entries(agreedNames) as [keyof typeof agreedNames, string][];
  const changed = members.filter(([member]) => settings[member] !== defaultSignatureSettings[member]);
  const names = (Object.entries(headerNameMembers) as [keyof SignatureHeaderNames, string][]).filter(
    ([member]) => headerNames[member] !== defaultSignatureSettings.headerNames[member],
  );
  const all: (readonly [string, unknown])[] = [
    ['algorithm', algorithm],
    ...changed.map(([member, name]) => [name, settings[member]] as const),
    ...(names.length > 0
      ? [['header_names', Object.fromEntries(names.map(([member, name]) => [name, headerNames[member]]))] as const]
      : []),
    ...used.map((name) => [name === 'client_id' ? 'api_client_id' : name, fixed[name]] as const),
  ];
  return all.map(([name, value]) => ({ name, value: JSON.stringify(value) }));
}
