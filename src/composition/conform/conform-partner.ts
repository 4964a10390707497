import { createPrivateKey, createPublicKey } from 'node:crypto';
import { hostAppMapper } from '../../adapters/in/http/manage/partners/host-app-mapper';
import { plainOf, type PlainObject } from '../../adapters/in/http/manage/http/merge-patch';
import { miniappMapper } from '../../adapters/in/http/manage/partners/miniapp-mapper';
import type { Role } from '../../conformance/ports';
import type { Credentials, CredentialValue } from '../../domain/credentials/credential';
import { missingSignatureSettings } from '../../domain/credentials/signing/signature-rules';
import { defaultHostAppSettings, type HostApp } from '../../domain/partners/host-app';
import { defaultIntegrationSettings, type Integration } from '../../domain/partners/integrations/integration';
import { defaultMiniappSettings, type Miniapp } from '../../domain/partners/miniapp';
import { type JsonObject } from '../../domain/shared/json';
import { Secret } from '../../domain/shared/secret';
import { hostAppPaths } from '../../sandbox/partners/sandbox-host-app';
import { miniappPaths } from '../../sandbox/partners/sandbox-miniapp';
import { WrongUsage } from '../tasks/explain-request';

/** The ids of the other partner of a run when the settings have none. */
const standIns = { clientId: 'host_conform00001', appId: 'app_cnform' } as const;

/** The default paths by the name of the setting. */
export const sandboxPaths: Readonly<Record<Role, Readonly<Record<string, string>>>> = { miniapp: miniappPaths, 'host-app': hostAppPaths };
/** URLs without a default, because setting one changes the kind of credentials. */
const onlyGiven: Readonly<Record<Role, readonly string[]>> = { miniapp: [], 'host-app': ['client_access_token_url'] };

/**
 * The integration with the settings as the manage API would store them, and the partner's URLs at `base`. Throws WrongUsage with each wrong
 * member.
 */
export function conformIntegration(role: Role, base: string, settings: JsonObject): Integration {
  const { plain, problems } = plainOf(settings);
  // Ignores read-only members of the manage API, so that a view can be pasted.
  const { version: _version, credentials: _credentials, warnings: _warnings, ...settable } = plain;
  const { client_id, app_id, secret_key, merchant_id, test: _test, ...given } = settable;
  const { signature, key } = splitKey(given['signature']);
  const body = { name: 'Conformance', ...given, ...urlsAt(role, base, given), ...(signature && { signature }) };
  const clientId = textOr(client_id, standIns.clientId, 'client_id');
  const appId = textOr(app_id, standIns.appId, 'app_id');
  const credentials = credentialsOf(
    { secret_key, host_app_secret_key: given['host_app_secret_key'], hmac_secret: signature?.['hmac_secret'] },
    key,
  );
  const mapper = role === 'miniapp' ? miniappMapper : hostAppMapper;
  const reading = mapper.read(withoutNulls(body));
  const wrong = [...problems, ...reading.problems].map(({ path, rule }) => `${path} ${rule}`);
  if (wrong.length > 0) throw new WrongUsage(`the settings are not right: ${wrong.join('; ')}`);
  const hostApp: HostApp = {
    ...{ kind: 'host-app', id: clientId, version: 1, credentials: role === 'host-app' ? credentials : {} },
    settings: role === 'host-app' ? hostAppMapper.read(withoutNulls(body)).settings : { ...defaultHostAppSettings, name: 'Conformance' },
  };
  const miniapp: Miniapp = {
    ...{ kind: 'miniapp', id: appId, version: 1, credentials: role === 'miniapp' ? credentials : {} },
    settings: role === 'miniapp' ? miniappMapper.read(withoutNulls(body)).settings : { ...defaultMiniappSettings, name: 'Conformance' },
  };
  const integration = { id: 'conformance', hostApp, miniapp, settings: settingsWith(merchant_id) };
  requireCredentials(role, integration);
  return integration;
}

const settingsWith = (merchantId: unknown): Integration['settings'] => ({
  ...defaultIntegrationSettings,
  status: 'accepted',
  ...(typeof merchantId === 'string' && { merchantId }),
});

/** The default paths, replaced where the settings give a URL, a path, or null for "there is none". */
function urlsAt(role: Role, base: string, given: PlainObject): PlainObject {
  const urls: PlainObject = {};
  for (const name of [...Object.keys(sandboxPaths[role]), ...onlyGiven[role]]) {
    const value = given[name] === undefined ? sandboxPaths[role][name] : given[name];
    if (typeof value === 'string') urls[name] = at(base, value);
  }
  return urls;
}

/** Returns a URL unchanged, and a path after the base. */
export const at = (base: string, path: string): string =>
  /^https?:\/\//.test(path) ? path : `${base}${path.startsWith('/') ? '' : '/'}${path}`;

const withoutNulls = (plain: PlainObject): PlainObject => Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== null));

function textOr(value: unknown, standIn: string, name: string): string {
  if (value === undefined || value === null) return standIn;
  if (typeof value === 'string' && /^[\x21-\x7e]{1,64}$/.test(value)) return value;
  throw new WrongUsage(`${name} must be 1 to 64 printable characters`);
}

/** Separates the private key that replaces the platform's, because only a run uses it and the stored settings have no such member. */
function splitKey(signature: unknown): { signature?: PlainObject; key?: string } {
  if (typeof signature !== 'object' || signature === null || Array.isArray(signature)) return {};
  const { platform_private_key: key, platform_public_key: _public, ...rest } = signature as PlainObject;
  return { signature: { enabled: true, ...rest }, ...(typeof key === 'string' && { key }) };
}

const valueOf = (secret: string): CredentialValue => ({ secret: new Secret(secret), fingerprint: '', createdAt: 0 });

function credentialsOf(
  given: Readonly<Record<'secret_key' | 'host_app_secret_key' | 'hmac_secret', unknown>>,
  key: string | undefined,
): Credentials {
  const entries = Object.entries(given).flatMap(([kind, text]) =>
    typeof text === 'string' && text !== '' ? [[kind, { current: valueOf(text) }] as const] : [],
  );
  return { ...Object.fromEntries(entries), ...(key !== undefined && { platform_key: { current: keyPair(key) } }) };
}

function keyPair(pem: string): CredentialValue {
  try {
    const key = createPrivateKey(pem);
    const publicKey = createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();
    return { ...valueOf(key.export({ format: 'pem', type: 'pkcs8' }).toString()), publicKey };
  } catch {
    throw new WrongUsage('signature.platform_private_key must be a private key in PEM');
  }
}

/** Requires credentials, as the service does before each call. Throws WrongUsage. */
export function requireCredentials(role: Role, { hostApp, miniapp, settings }: Integration): void {
  const partner = role === 'miniapp' ? miniapp : hostApp;
  const { signature } = partner.settings;
  if (signature.enabled) {
    const missing = missingSignatureSettings(signature, partner.credentials, 'out').map((name) =>
      name === 'platform_key' ? 'signature.platform_private_key' : `signature.${name}`,
    );
    if (signature.payloadTemplate.includes('{merchant_id}') && settings.merchantId === undefined) missing.push('merchant_id');
    if (missing.length > 0) throw new WrongUsage(`request signing needs ${missing.join(', ')} in the settings`);
    return;
  }
  if (role === 'miniapp' && !miniapp.credentials.secret_key) throw new WrongUsage('Basic needs app_id and secret_key in the settings');
  const complete = hostApp.settings.hostAppClientId !== undefined && hostApp.credentials.host_app_secret_key !== undefined;
  if (role === 'host-app' && !complete) throw new WrongUsage('Basic needs host_app_client_id and host_app_secret_key in the settings');
}
