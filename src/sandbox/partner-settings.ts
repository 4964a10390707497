import type { AgreedSecret } from './agreed-signature';
import { hostAppPaths } from './sandbox-host-app';
import { miniappPaths } from './sandbox-miniapp';
import type { SandboxSecrets } from './sandbox-secrets';
import { defaultTemplate } from './signed-text';

/** What the user reads before the miniapp hears of them. */
export const consentText = 'The miniapp asks for your name, e-mail address and phone number.';

/** What all partners of the sandbox have on, and their integrations. */
export const features = { sso: true, payments: true, events: true };

/** As whom the service comes to the host app. */
export const platformUser = 'sandbox-platform';

/** Toward the host app the service proves itself with Basic; a client access token is one PATCH away. */
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

/** Its allowlist holds this machine: order payments and events are for miniapps that sign or have an allowlist. */
export function miniappSettings(url: string) {
  const allowlist = { enabled: true, addresses: ['127.0.0.1', '::1'] };
  return { ...urlsAt(url, miniappPaths), name: 'Sandbox miniapp', url: `${url}/`, ip_whitelist: allowlist, features };
}

/** It signs, and so does the service toward it: all by the contract's defaults. */
export function shopSettings(url: string, { algorithm, key, apiClientId }: AgreedSecret) {
  const form = { hash: 'SHA-256', encoding: 'base64', timestamp_precision: 'seconds', nonce_length: 0, url_form: 'full' };
  const signature = { enabled: true, algorithm, ...form, payload_template: defaultTemplate, api_client_id: apiClientId, hmac_secret: key };
  return { ...urlsAt(url, miniappPaths), name: 'Skerry Ferries', url: `${url}/`, ip_whitelist: { enabled: false }, features, signature };
}

const urlsAt = (url: string, paths: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(paths).map(([setting, path]) => [setting, url + path]));
