import type { FieldProblem } from '../shared/errors';
import type { Credentials } from './credential';
import { keyProblem } from './key-rules';
import type { KeyImport } from './ports';
import type { SignatureHeaderNames, SignatureSettings } from './signature-settings';
import { compileTemplate, placeholdersOf, TemplateRefused, templateWeaknesses } from './signing-template';

/** The wire names of the members of `header_names`. */
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

/** Header names that a partner cannot choose: hop by hop, framing, credentials, and those that the service sends itself (T30). */
const reserved: ReadonlySet<string> = new Set(
  `connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect host via forwarded accept accept-encoding
   cookie set-cookie x-hostapp-client-id x-miniapp-app-id x-user-id x-request-id traceparent tracestate idempotency-key
   webhook-id webhook-timestamp webhook-signature user-agent date`.split(/\s+/),
);
const reservedStart = /^(content-|proxy-|x-forwarded-)/;

const acknowledge = 'needs acknowledge_weak';

/**
 * Everything that is wrong with signature settings and the credentials that go with them, as they would be stored
 * (decisions §4, threats T13, T18 to T20, T30). Paths are those of the manage API.
 */
export function signatureProblems(signature: SignatureSettings, credentials: Credentials, keys: KeyImport): FieldProblem[] {
  const problems = [
    ...headerNameProblems(signature.headerNames),
    ...templateProblems(signature),
    ...hmacSecretProblems(signature, credentials),
    ...publicKeyProblems(signature, credentials, keys),
  ];
  if ((signature.hash === 'MD5' || signature.hash === 'SHA-1') && !signature.acknowledgeWeak) {
    problems.push({ path: 'hash', rule: `${signature.hash} is weak and ${acknowledge}` });
  }
  if (signature.nonceLength !== 0 && (signature.nonceLength < 16 || signature.nonceLength > 64)) {
    problems.push({ path: 'nonce_length', rule: 'must be 0 (off) or 16 to 64' });
  }
  return problems.map(({ path, rule }) => ({ path: `signature.${path}`, rule }));
}

function headerNameProblems(names: SignatureHeaderNames): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  for (const [member, wireName] of Object.entries(headerNameMembers) as [keyof SignatureHeaderNames, string][]) {
    const name = names[member].toLowerCase();
    const rule = headerNameProblem(name, member) ?? (seen.has(name) ? 'must differ from the other header names' : undefined);
    if (rule) problems.push({ path: `header_names.${wireName}`, rule });
    seen.add(name);
  }
  return problems;
}

function headerNameProblem(name: string, member: keyof SignatureHeaderNames): string | undefined {
  if (!token.test(name)) return 'must be a header name of 1 to 64 characters';
  if (name === 'authorization') return member === 'signature' ? undefined : 'Authorization is for the signature alone';
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
  const around = signatureTemplate.split('{signature}');
  if (around.length !== 2 || around.some((text) => /[{}]/.test(text))) {
    problems.push({ path: 'signature_template', rule: 'must hold {signature} once and no other brace' });
  }
  return problems;
}

function hmacSecretProblems({ acknowledgeWeak }: SignatureSettings, { hmac_secret: slots }: Credentials): FieldProblem[] {
  const secret = slots?.current?.secret.reveal();
  const path = 'hmac_secret';
  if (secret === undefined) return [];
  // A PEM here means that a key was pasted into the wrong field; as HMAC secret a public key would be known to all (T18).
  if (secret.includes('-----BEGIN')) return [{ path, rule: 'must be a shared secret, not a key' }];
  if (secret === '') return [{ path, rule: 'must not be empty' }];
  if (new TextEncoder().encode(secret).length >= 32 || acknowledgeWeak) return [];
  return [{ path, rule: `is shorter than 32 bytes, which ${acknowledge}` }];
}

function publicKeyProblems({ algorithm }: SignatureSettings, credentials: Credentials, keys: KeyImport): FieldProblem[] {
  const text = credentials.partner_public_key?.current?.publicKey;
  if (text === undefined) return [];
  const own = Object.values(credentials.platform_key ?? {}).flatMap(({ publicKey }) => publicKey ?? []);
  const rule = keyProblem(keys.read(text), { algorithm, own });
  return rule === undefined ? [] : [{ path: 'partner_public_key', rule }];
}

/** What signing still needs before it can work; empty: complete. Until then calls are refused (decisions §4). */
export function missingSignatureSettings(signature: SignatureSettings, credentials: Credentials): readonly string[] {
  const { algorithm, apiClientId, identity, nonceLength, payloadTemplate } = signature;
  const used = placeholdersOf(compileTemplate(payloadTemplate));
  const missing: string[] = [];
  if (!algorithm) missing.push('algorithm');
  if (algorithm === 'HMAC' && !credentials.hmac_secret?.current) missing.push('hmac_secret');
  if (algorithm && algorithm !== 'HMAC' && !credentials.partner_public_key?.current) missing.push('partner_public_key');
  if (used.includes('client_id') && apiClientId === undefined) missing.push('api_client_id');
  if (used.includes('identity') && identity === undefined) missing.push('identity');
  if (used.includes('nonce') && nonceLength === 0) missing.push('nonce_length');
  return missing;
}
