import type { AgreedSecret } from '../signing/agreed-signature';
import { hostAppPaths } from '../partners/sandbox-host-app';
import { miniappPaths } from '../partners/sandbox-miniapp';
import type { SandboxSecrets } from './sandbox-secrets';
import { defaultTemplate } from '../signing/signed-text';

/** The consent text for users. */
export const consentText = 'The miniapp asks for your name, e-mail address and phone number.';

/** Features that all sandbox partners and their integrations enable. */
export const features = { sso: true, payments: true, events: true };

/** User name of the service at the host app. */
export const platformUser = 'sandbox-platform';

/** The service authenticates to the host app with Basic. A PATCH can change that to a client access token. */
export function hostAppSettings(url: string, { platformSecret }: SandboxSecrets) {
  return {
    ...urlsAt(url, hostAppPaths),
    name: 'Sandbox host app',
    host_app_client_id: platformUser,
    host_app_secret_key: platformSecret,
    use_access_token: false,
    is_consent_enabled: true,
    consent_text: consentText,
    features,
  };
}

/** The allowlist contains this machine, because order payments and events need a signature or an allowlist. */
export function miniappSettings(url: string) {
  const allowlist = { enabled: true, addresses: ['127.0.0.1', '::1'] };
  return { ...urlsAt(url, miniappPaths), name: 'Sandbox miniapp', url: `${url}/`, ip_whitelist: allowlist, features };
}

/** Calls are signed in both directions, with the contract's defaults. */
export function shopSettings(url: string, { algorithm, key, apiClientId }: AgreedSecret) {
  const form = { hash: 'SHA-256', encoding: 'base64', timestamp_precision: 'seconds', nonce_length: 0, url_form: 'full' };
  const signature = { enabled: true, algorithm, ...form, payload_template: defaultTemplate, api_client_id: apiClientId, hmac_secret: key };
  return { ...urlsAt(url, miniappPaths), name: 'Skerry Ferries', url: `${url}/`, ip_whitelist: { enabled: false }, features, signature };
}

const urlsAt = (url: string, paths: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(paths).map(([setting, path]) => [setting, url + path]));
