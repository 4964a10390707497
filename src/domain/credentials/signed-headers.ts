import type { HostApp } from '../partners/host-app';
import type { Miniapp } from '../partners/miniapp';
import { CredentialsRejected, headerReader, type InboundRequest } from './check';
import type { SignatureHeaderNames } from './signature-settings';
import type { PreparedSigning, SignedValues } from './signing-string';

export const refused = (cause: string, message: string): CredentialsRejected =>
  new CredentialsRejected('INVALID_SIGNATURE', message, { cause });
export const unreadable = (cause: string, message: string): CredentialsRejected =>
  new CredentialsRejected('SIGNATURE_VALIDATION_ERROR', message, { cause });

/** Whose headers are read, and which. */
export interface HeaderRule {
  readonly partner: HostApp | Miniapp;
  /** Of the integration; `undefined`: none is stored. */
  readonly merchantId: string | undefined;
}

/** What a request says of its signature in its headers. */
export interface SignedHeaders extends Pick<SignedValues, 'client_id' | 'timestamp' | 'nonce' | 'identity' | 'merchant_id'> {
  /** With the text around it. */
  readonly signature: string;
}

type Reader = (request: InboundRequest) => string | undefined;
const absent: Reader = () => undefined;

/**
 * Reads the headers that a rule asks for. A header is required when its placeholder is in the template; one that is sent must fit the
 * stored name all the same. Throws MISSING_HEADER, INVALID_SIGNATURE, and INVALID_INPUT where one is doubled.
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
  // In the order of the errors.
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
