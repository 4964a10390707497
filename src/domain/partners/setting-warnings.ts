import { hmacSecretWeakness } from '../credentials/hmac-secret-rules';
import { missingSignatureSettings } from '../credentials/signature-rules';
import { compileTemplate, placeholdersOf, templateWeaknesses } from '../credentials/signing-template';
import type { FieldProblem } from '../shared/errors';
import type { HostApp, IpWhitelist } from './host-app';
import type { Miniapp } from './miniapp';

/** What may be stored and is still worth a second look; shown with the settings and kept in the audit trail. */
export function hostAppWarnings({ settings, credentials }: HostApp): readonly FieldProblem[] {
  const { basicAuthValidation, basicWithSignature, signature, ipWhitelist, payloadCipher, features } = settings;
  const warnings: FieldProblem[] = [];
  const asksBasic = signature.enabled ? basicWithSignature : basicAuthValidation;
  if (!asksBasic && !signature.enabled && !ipWhitelist.enabled) {
    warnings.push({ path: 'basic_auth_validation', rule: 'open: who knows the client_id can call connect and complete-order' });
  }
  if (payloadCipher === 'any' && features.sso) {
    warnings.push({
      path: 'payload_cipher',
      rule: 'AES-CBC payloads of partner/login can be altered and replayed by who sees them; gcm refuses them',
    });
  }
  return [...warnings, ...addressWarnings(ipWhitelist), ...signatureWarnings({ settings, credentials })];
}

/** As for a host app. */
export function miniappWarnings({ settings, credentials }: Miniapp): readonly FieldProblem[] {
  const { signature, ipWhitelist, features } = settings;
  const warnings: FieldProblem[] = [];
  if (!signature.enabled && !ipWhitelist.enabled && (features.payments || features.events)) {
    warnings.push({ path: 'signature.enabled', rule: 'order and event calls are refused until signing or the IP whitelist is on' });
  }
  return [...warnings, ...addressWarnings(ipWhitelist), ...signatureWarnings({ settings, credentials })];
}

function addressWarnings({ enabled, addresses }: IpWhitelist): FieldProblem[] {
  const warnings: FieldProblem[] = [];
  if (enabled && addresses.length === 0) warnings.push({ path: 'ip_whitelist', rule: 'on and empty: every caller is refused' });
  addresses.forEach((entry, i) => {
    if (isWide(entry)) warnings.push({ path: `ip_whitelist.addresses[${String(i)}]`, rule: 'admits a very large network' });
  });
  return warnings;
}

/** Shorter than /8 in IPv4 and /32 in IPv6 (threat T10). */
export function isWide(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  if (prefix === undefined) return false;
  const mapped = /^::ffff:/i.test(address);
  return Number(prefix) < (mapped ? 96 + 8 : address.includes(':') ? 32 : 8);
}

function signatureWarnings({
  settings: { signature, signatureShadow: shadow },
  credentials,
}: Pick<HostApp | Miniapp, 'settings' | 'credentials'>): FieldProblem[] {
  const warnings: FieldProblem[] = [];
  if (shadow?.mode === 'accept') {
    warnings.push({
      path: 'signature_shadow',
      rule: 'two ways of signing are accepted until one is promoted or ended, or the time is over',
    });
  }
  if (signature.enabled) {
    for (const name of missingSignatureSettings(signature, credentials)) {
      warnings.push({
        path: `signature.${name}`,
        rule: 'is missing: until it is set, calls are refused with MISSING_REQUEST_SIGNATURE_SETTINGS',
      });
    }
  }
  const parts = compileTemplate(signature.payloadTemplate);
  for (const what of templateWeaknesses(parts))
    warnings.push({ path: 'signature.payload_template', rule: `${what}: acknowledged as weak` });
  if (signature.nonceLength > 0 && !placeholdersOf(parts).includes('nonce')) {
    warnings.push({ path: 'signature.nonce_length', rule: 'the nonce is not part of the signed text: it can be exchanged' });
  }
  if (signature.hash === 'MD5' || signature.hash === 'SHA-1') {
    warnings.push({ path: 'signature.hash', rule: `${signature.hash}: acknowledged as weak` });
  }
  const secret = credentials.hmac_secret?.current;
  const weakness = secret && hmacSecretWeakness(secret, Object.values(credentials.secret_key ?? {}));
  if (weakness !== undefined) warnings.push({ path: 'signature.hmac_secret', rule: `${weakness}: acknowledged as weak` });
  if (signature.webhookSignature && !secret) {
    warnings.push({ path: 'signature.webhook_signature', rule: 'needs hmac_secret: until it is set, deliveries wait' });
  }
  return warnings;
}
