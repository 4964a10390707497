import type { HostApp } from '../../partners/host-app';
import type { Miniapp } from '../../partners/miniapp';
import { CredentialsRejected, headerReader, type InboundRequest } from '../check';
import type { SignatureHeaderNames } from './signature-settings';
import type { PreparedSigning, SignedValues } from './signing-string';

export const refused = (cause: string, message: string): CredentialsRejected =>
  new CredentialsRejected('INVALID_SIGNATURE', message, { cause });
export const unreadable = (cause: string, message: string): CredentialsRejected =>
  new CredentialsRejected('SIGNATURE_VALIDATION_ERROR', message, { cause });

/** The partner whose headers are read, and the integration's merchant id. */
export interface HeaderRule {
  readonly partner: HostApp | Miniapp;
  /** The merchant id of the integration; `undefined` when none is stored. */
  readonly merchantId: string | undefined;
}

/** The signature and its accompanying values from the headers of a request. */
export interface SignedHeaders extends Pick<SignedValues, 'client_id' | 'timestamp' | 'nonce' | 'identity' | 'merchant_id'> {
  /** The whole header value, including the text around the signature. */
  readonly signature: string;
}

type Reader = (request: InboundRequest) => string | undefined;
const absent: Reader = () => undefined;

/**
 * Makes a reader for the headers that a rule requires. A header is required when its placeholder is in the template; an optional header
 * that is sent must still match the stored value. Throws MISSING_HEADER, INVALID_SIGNATURE, and INVALID_INPUT where a header is sent
 * twice.
 */
export function signedHeaders(
  { partner, merchantId }: HeaderRule,
  { uses, nonceForm }: PreparedSigning,
): (request: InboundRequest) => SignedHeaders {
  const { apiClientId, headerNames, identity, nonceLength } = partner.settings.signature;
  const fixed = (member: keyof SignatureHeaderNames, stored: string | undefined, isRequired: boolean): Reader =>
    stored === undefined ? absent : fixedReader(headerNames[member], stored, isRequired);
  const signatureIn = reader(headerNames.signature, true);
  const clientIdIn = fixed('clientId', apiClientId, uses.has('client_id'));
  const timestampIn = reader(headerNames.timestamp, uses.has('timestamp'));
  const nonceIn = nonceLength > 0 || uses.has('nonce') ? nonceReader(headerNames.nonce, nonceForm, uses.has('nonce')) : absent;
  const merchantIdIn = uses.has('merchant_id') ? fixed('merchantId', merchantId, true) : absent;
  const identityIn = fixed('identity', identity, uses.has('identity'));
  // The order decides which error a request with several problems gets.
  return (request) => ({
    signature: signatureIn(request) ?? '',
    client_id: clientIdIn(request),
    timestamp: timestampIn(request),
    nonce: nonceIn(request),
    merchant_id: merchantIdIn(request),
    identity: identityIn(request),
  });
}

function reader(name: string, isRequired: boolean): Reader {
  const read = headerReader(name);
  return (request) => {
    const value = read(request) || undefined;
    if (value !== undefined || !isRequired) return value;
    throw new CredentialsRejected('MISSING_HEADER', `Missing required header: ${name}`, { cause: name });
  };
}

function fixedReader(name: string, stored: string, isRequired: boolean): Reader {
  const read = reader(name, isRequired);
  return (request) => {
    const value = read(request);
    if (value === undefined || value === stored) return value;
    throw refused(name, `${name} is not the value that is stored`);
  };
}

function nonceReader(name: string, form: RegExp, isRequired: boolean): Reader {
  const read = reader(name, isRequired);
  return (request) => {
    const nonce = read(request);
    if (nonce !== undefined && !form.test(nonce)) throw refused(name, `${name} has a wrong length or characters`);
    return nonce;
  };
}
