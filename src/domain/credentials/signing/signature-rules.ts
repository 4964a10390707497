import type { FieldProblem } from '../../shared/errors';
import type { Credentials } from '../credential';
import { hmacSecretProblem } from './hmac-secret-rules';
import { keyProblem } from './key-rules';
import type { PublicKeyReader } from '../ports';
import type { SignatureHeaderNames, SignatureSettings } from './signature-settings';
import { prepareSigning } from './signing-string';
import { compileTemplate, TemplateRefused, templateWeaknesses } from './signing-template';

/** Wire names of the members of `header_names`. */
export const headerNameMembers: Readonly<Record<keyof SignatureHeaderNames, string>> = {
  signature: 'signature',
  timestamp: 'timestamp',
  clientId: 'client_id',
  nonce: 'nonce',
  identity: 'identity',
  merchantId: 'merchant_id',
};

// RFC 9110 §5.6.2.
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;

/**
 * Header names that a partner cannot choose: hop-by-hop, framing and credential headers, and headers that the service sends itself
 * (contract/signatures#headers).
 */
const reserved: ReadonlySet<string> = new Set(
  `connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect host via forwarded accept accept-encoding
   cookie set-cookie x-hostapp-client-id x-miniapp-app-id x-user-id x-request-id traceparent tracestate idempotency-key
   webhook-id webhook-timestamp webhook-signature user-agent date`.split(/\s+/),
);
const reservedStart = /^(content-|proxy-|x-forwarded-)/;

/** Headers of Standard Webhooks; each is allowed only for its purpose there. */
const webhookHeaders: Readonly<Partial<Record<keyof SignatureHeaderNames, string>>> = {
  nonce: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
};

const acknowledge = 'needs acknowledge_weak';

/**
 * Every problem of signature settings and their credentials, as they would be stored (contract/signatures#settings,
 * contract/signatures#keys-and-secrets). Paths are those of the manage API.
 */
export function signatureProblems(signature: SignatureSettings, credentials: Credentials, keys: PublicKeyReader): FieldProblem[] {
  const problems = [
    ...headerNameProblems(signature.headerNames),
    ...templateProblems(signature),
    ...hmacSecretProblems(signature, credentials, keys),
    ...publicKeyProblems(signature, credentials, keys),
    ...webhookSignatureProblems(signature, credentials),
  ];
  if ((signature.hash === 'MD5' || signature.hash === 'SHA-1') && !signature.acknowledgeWeak) {
    problems.push({ path: 'hash', rule: `${signature.hash} is weak and ${acknowledge}` });
  }
  if (signature.nonceLength !== 0 && (signature.nonceLength < 16 || signature.nonceLength > 64)) {
    problems.push({ path: 'nonce_length', rule: 'must be 0 (off) or 16 to 64' });
  }
  return problems.map((problem) => ({ ...problem, path: `signature.${problem.path}` }));
}

function headerNameProblems(names: SignatureHeaderNames): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  for (const [member, apiName] of Object.entries(headerNameMembers) as [keyof SignatureHeaderNames, string][]) {
    const name = names[member].toLowerCase();
    const rule = headerNameProblem(name, member) ?? (seen.has(name) ? 'must differ from the other header names' : undefined);
    if (rule) problems.push({ path: `header_names.${apiName}`, rule });
    seen.add(name);
  }
  return problems;
}

function headerNameProblem(name: string, member: keyof SignatureHeaderNames): string | undefined {
  if (!token.test(name)) return 'must be a header name of 1 to 64 characters';
  if (name === 'authorization') return member === 'signature' ? undefined : 'Authorization is for the signature alone';
  if (webhookHeaders[member] === name) return undefined;
  return reserved.has(name) || reservedStart.test(name) ? 'is a reserved header name' : undefined;
}

function templateProblems({ payloadTemplate, signatureTemplate, acknowledgeWeak }: SignatureSettings): FieldProblem[] {
  const problems: FieldProblem[] = [];
  try {
    const weaknesses = templateWeaknesses(compileTemplate(payloadTemplate));
    if (!acknowledgeWeak) problems.push(...weaknesses.map((what) => ({ path: 'payload_template', rule: `${what}, which ${acknowledge}` })));
  } catch (error) {
    if (!(error instanceof TemplateRefused)) throw error;
    problems.push({ path: 'payload_template', rule: error.message });
  }
  const parts = signatureTemplate.split('{signature}');
  if (parts.length !== 2 || parts.some((text) => /[{}]/.test(text))) {
    problems.push({ path: 'signature_template', rule: 'must hold {signature} once and no other brace' });
  }
  return problems;
}

function hmacSecretProblems({ acknowledgeWeak }: SignatureSettings, credentials: Credentials, keys: PublicKeyReader): FieldProblem[] {
  const secretKeys = Object.values(credentials.secret_key ?? {});
  const { current, next } = credentials.hmac_secret ?? {};
  // Previous values are not checked any more.
  for (const value of [current, next]) {
    const problem = value && hmacSecretProblem(value, keys, { acknowledgeWeak, secretKeys });
    if (problem) return [{ path: 'hmac_secret', ...problem }];
  }
  return [];
}

function publicKeyProblems({ algorithm }: SignatureSettings, credentials: Credentials, keys: PublicKeyReader): FieldProblem[] {
  const own = Object.values(credentials.platform_key ?? {}).flatMap(({ publicKey }) => publicKey ?? []);
  const { current, next } = credentials.partner_public_key ?? {};
  // The next key may be for another algorithm, which is set together with it.
  for (const [value, fit] of [
    [current, { algorithm, own }],
    [next, { own }],
  ] as const) {
    const problem = value && keyProblem(keys.read(value.publicKey ?? ''), fit);
    if (problem) return [{ path: 'partner_public_key', ...problem }];
  }
  return [];
}

function webhookSignatureProblems(
  { webhookSignature, headerNames }: SignatureSettings,
  { hmac_secret: slots }: Credentials,
): FieldProblem[] {
  const path = 'webhook_signature';
  if (!webhookSignature) return [];
  if (!slots?.current) return [{ path, rule: 'needs hmac_secret', cause: 'needs-hmac-secret' }];
  if (headerNames.signature.toLowerCase() !== webhookHeaders.signature) return [];
  return [{ path, rule: 'must be off: header_names.signature is webhook-signature already', cause: 'webhook-signature-twice' }];
}

/** `in`: a partner's call, checked with the partner's credentials; `out`: our own call, signed with ours. */
export type SigningDirection = 'in' | 'out';

/**
 * Settings and credentials that signing still needs; empty when complete. Until then calls are refused (contract/signatures#verification).
 */
export function missingSignatureSettings(
  signature: SignatureSettings,
  credentials: Credentials,
  direction: SigningDirection = 'in',
): readonly string[] {
  const { algorithm, apiClientId, identity, nonceLength } = signature;
  const { uses } = prepareSigning(signature);
  const asymmetric = direction === 'in' ? 'partner_public_key' : 'platform_key';
  const missing: string[] = [];
  if (!algorithm) missing.push('algorithm');
  if (algorithm === 'HMAC' && !credentials.hmac_secret?.current) missing.push('hmac_secret');
  if (algorithm && algorithm !== 'HMAC' && !credentials[asymmetric]?.current) missing.push(asymmetric);
  if (uses.has('client_id') && apiClientId === undefined) missing.push('api_client_id');
  if (uses.has('identity') && identity === undefined) missing.push('identity');
  if (uses.has('nonce') && nonceLength === 0) missing.push('nonce_length');
  return missing;
}
