import type { SignatureSettings } from '../credentials/signing/signature-settings';
import { hmacSecretWeakness } from '../credentials/signing/hmac-secret-rules';
import { missingSignatureSettings } from '../credentials/signing/signature-rules';
import { compileTemplate, placeholdersOf, templateWeaknesses } from '../credentials/signing/signing-template';
import type { HostApp, IpWhitelist } from './host-app';
import type { Miniapp } from './miniapp';

/** Points out a setting that is allowed but risky. `path` is the field of the manage API. */
export interface SettingWarning {
  readonly path: string;
  /** A stable kebab-case name for programs. */
  readonly cause: string;
  /** One sentence for the operator. */
  readonly message: string;
}

/** Warnings about a host app's settings; shown with them and kept in the audit trail. */
export function hostAppWarnings({ settings, credentials }: HostApp): readonly SettingWarning[] {
  const { basicAuthValidation, basicWithSignature, signature, ipWhitelist, payloadCipher, features } = settings;
  const warnings: SettingWarning[] = [];
  const usesBasic = signature.enabled ? basicWithSignature : basicAuthValidation;
  if (!usesBasic && !signature.enabled && !ipWhitelist.enabled) {
    warnings.push({
      path: 'basic_auth_validation',
      cause: 'open',
      message: 'open: who knows the client_id can call connect and complete-order',
    });
  }
  if (payloadCipher === 'any' && features.sso) {
    warnings.push({
      path: 'payload_cipher',
      cause: 'cbc-can-be-altered',
      message: 'AES-CBC payloads of partner/login can be altered and replayed by who sees them; gcm refuses them',
    });
  }
  return [...warnings, ...addressWarnings(ipWhitelist), ...signatureWarnings({ settings, credentials })];
}

/** Warnings about a miniapp's settings, as `hostAppWarnings`. */
export function miniappWarnings({ settings, credentials }: Miniapp): readonly SettingWarning[] {
  const { signature, ipWhitelist, features } = settings;
  const warnings: SettingWarning[] = [];
  if (!signature.enabled && !ipWhitelist.enabled && (features.payments || features.events)) {
    warnings.push({
      path: 'signature.enabled',
      cause: 'no-check',
      message: 'order and event calls are refused until signing or the IP whitelist is on',
    });
  }
  return [...warnings, ...addressWarnings(ipWhitelist), ...signatureWarnings({ settings, credentials })];
}

function addressWarnings({ enabled, addresses }: IpWhitelist): SettingWarning[] {
  const warnings: SettingWarning[] = [];
  if (enabled && addresses.length === 0)
    warnings.push({ path: 'ip_whitelist', cause: 'empty-allowlist', message: 'on and empty: every caller is refused' });
  addresses.forEach((entry, i) => {
    if (isWide(entry))
      warnings.push({ path: `ip_whitelist.addresses[${String(i)}]`, cause: 'wide-network', message: 'admits a very large network' });
  });
  return warnings;
}

/** Whether a network is larger than /8 in IPv4 or /32 in IPv6 (contract/resources#warnings). */
export function isWide(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  if (prefix === undefined) return false;
  const mapped = /^::ffff:/i.test(address);
  return Number(prefix) < (mapped ? 96 + 8 : address.includes(':') ? 32 : 8);
}

function templateWarnings({ payloadTemplate, nonceLength }: SignatureSettings): SettingWarning[] {
  const parts = compileTemplate(payloadTemplate);
  const warnings: SettingWarning[] = templateWeaknesses(parts).map((what) => ({
    path: 'signature.payload_template',
    cause: 'weak-template',
    message: `${what}: acknowledged as weak`,
  }));
  if (nonceLength === 0 || placeholdersOf(parts).includes('nonce')) return warnings;
  const message = 'the nonce is not part of the signed text: it can be exchanged';
  return [...warnings, { path: 'signature.nonce_length', cause: 'nonce-not-signed', message }];
}

function signatureWarnings({
  settings: { signature, signatureDryRun: dryRun },
  credentials,
}: Pick<HostApp | Miniapp, 'settings' | 'credentials'>): SettingWarning[] {
  const warnings: SettingWarning[] = [];
  if (dryRun?.mode === 'accept') {
    warnings.push({
      path: 'signature_dry_run',
      cause: 'two-ways-accepted',
      message: 'two ways of signing are accepted until one is promoted or ended, or the time is over',
    });
  }
  if (signature.enabled) {
    for (const name of missingSignatureSettings(signature, credentials)) {
      warnings.push({
        path: `signature.${name}`,
        cause: 'missing',
        message: 'is missing: until it is set, calls are refused with MISSING_REQUEST_SIGNATURE_SETTINGS',
      });
    }
  }
  warnings.push(...templateWarnings(signature));
  if (signature.hash === 'MD5' || signature.hash === 'SHA-1') {
    warnings.push({ path: 'signature.hash', cause: 'weak-hash', message: `${signature.hash}: acknowledged as weak` });
  }
  const secret = credentials.hmac_secret?.current;
  const weakness = secret && hmacSecretWeakness(secret, Object.values(credentials.secret_key ?? {}));
  if (weakness !== undefined)
    warnings.push({ path: 'signature.hmac_secret', cause: 'weak-secret', message: `${weakness}: acknowledged as weak` });
  if (signature.webhookSignature && !secret) {
    warnings.push({
      path: 'signature.webhook_signature',
      cause: 'needs-hmac-secret',
      message: 'needs hmac_secret: until it is set, deliveries wait',
    });
  }
  return warnings;
}
