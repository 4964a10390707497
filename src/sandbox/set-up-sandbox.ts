import { createHash } from 'node:crypto';
import { ManageCallFailed, ManageCalls, type ManageAnswer } from './manage-calls';
import { memberOf } from './read-body';
import { hostAppPaths, type SandboxHostApp } from './sandbox-host-app';
import { miniappPaths, type SandboxMiniapp } from './sandbox-miniapp';
import { SandboxPair } from './sandbox-pair';
import { keepSecrets, readSecrets, type SandboxSecrets } from './sandbox-secrets';

/** The ids of the partners that stand beside a development service; the same at every start. */
export const sandboxIds = { clientId: 'host_sandbox00001', appId: 'app_sandbx' } as const;

/** A started sandbox partner and where it listens. */
export interface Started<Partner> {
  readonly partner: Partner;
  readonly url: string;
}

/** What has to be set up, and where. */
export interface SandboxSetUp {
  /** Without a final slash. */
  readonly serviceUrl: string;
  readonly operatorToken: string;
  readonly hostApp: Started<SandboxHostApp>;
  readonly miniapp: Started<SandboxMiniapp>;
  /** Ids to make or to take over; absent: the service makes new ones. */
  readonly ids?: { readonly clientId: string; readonly appId: string };
  /** Where the secrets are kept between starts (mode 0600); absent: nowhere. */
  readonly secretsFile?: string;
}

/** What the user reads before the miniapp hears of them. */
export const consentText = 'The miniapp asks for your name, e-mail address and phone number.';

const features = { sso: true, payments: true, events: true };
const platformUser = 'sandbox-platform';

/**
 * Registers the two sandbox partners and their accepted integration through the manage API, and tells them their
 * credentials. Partners that exist are put back to the sandbox's settings; a secret that was lost is rotated.
 * Throws ManageCallFailed where the manage API refuses.
 */
export async function setUpSandbox(setUp: SandboxSetUp): Promise<SandboxPair> {
  const manage = new ManageCalls(setUp);
  const kept = await readSecrets(setUp.secretsFile);
  const hostApp = await ensurePartner(manage, hostAppKind, {
    id: setUp.ids?.clientId,
    settings: hostAppSettings(setUp.hostApp.url, kept),
    secretKey: kept.hostAppSecretKey,
  });
  const miniapp = await ensurePartner(manage, miniappKind, {
    id: setUp.ids?.appId,
    settings: miniappSettings(setUp.miniapp.url),
    secretKey: kept.miniappSecretKey,
  });
  const secrets = { ...kept, hostAppSecretKey: hostApp.secretKey, miniappSecretKey: miniapp.secretKey };
  if (setUp.secretsFile !== undefined) await keepSecrets(setUp.secretsFile, secrets);
  setUp.hostApp.partner.trust({ user: platformUser, secret: kept.platformSecret, ownId: hostApp.id });
  setUp.miniapp.partner.trust({ user: miniapp.id, secret: miniapp.secretKey, ownId: miniapp.id });
  setUp.hostApp.partner.reportTo({ serviceUrl: setUp.serviceUrl, clientId: hostApp.id, secretKey: hostApp.secretKey });
  await manage.send('PUT', `integrations/${hostApp.id}/${miniapp.id}`, [200, 201], { status: 'accepted', features });
  return new SandboxPair({
    clientId: hostApp.id,
    secretKey: hostApp.secretKey,
    appId: miniapp.id,
    miniappSecretKey: miniapp.secretKey,
    serviceUrl: setUp.serviceUrl,
    hostAppUrl: setUp.hostApp.url,
  });
}

/** Takes the pair out of the service again. */
export async function removeSandbox(
  at: Pick<SandboxSetUp, 'serviceUrl' | 'operatorToken'>,
  { clientId, appId }: SandboxPair,
): Promise<void> {
  const manage = new ManageCalls(at);
  await manage.send('DELETE', `host-apps/${clientId}`, [200, 204, 404]);
  await manage.send('DELETE', `miniapps/${appId}`, [200, 204, 404]);
}

interface PartnerKind {
  readonly collection: 'host-apps' | 'miniapps';
  readonly idField: 'client_id' | 'app_id';
}

const hostAppKind: PartnerKind = { collection: 'host-apps', idField: 'client_id' };
const miniappKind: PartnerKind = { collection: 'miniapps', idField: 'app_id' };

interface WantedPartner {
  readonly id: string | undefined;
  readonly settings: object;
  /** The Secret key of the last start; absent: not known. */
  readonly secretKey: string | undefined;
}

interface KnownPartner {
  readonly id: string;
  readonly secretKey: string;
}

async function ensurePartner(manage: ManageCalls, kind: PartnerKind, wanted: WantedPartner): Promise<KnownPartner> {
  const { id, settings, secretKey } = wanted;
  const { collection, idField } = kind;
  if (id !== undefined) {
    const found = await manage.send('GET', `${collection}/${id}`, [200, 404]);
    if (found.status === 200) {
      await manage.send('PATCH', `${collection}/${id}`, [200], settings);
      if (secretKey !== undefined && isCurrent(found, secretKey)) return { id, secretKey };
      const rotated = await manage.send('POST', `${collection}/${id}/rotate`, [200, 201], { credential: 'secret_key' });
      return { id, secretKey: textIn(rotated, 'secret_key') };
    }
  }
  const created = await manage.send('POST', collection, [201], { ...settings, ...(id === undefined ? {} : { [idField]: id }) });
  return { id: textIn(created, idField), secretKey: textIn(created, 'secret_key') };
}

/** Whether the Secret key that is in use has the fingerprint of this one. */
function isCurrent({ body }: ManageAnswer, secretKey: string): boolean {
  const current = memberOf(memberOf(memberOf(body, 'credentials'), 'secret_key'), 'current');
  const fingerprint = `sha256:${createHash('sha256').update(secretKey).digest('hex').slice(0, 16)}`;
  return memberOf(current, 'fingerprint') === fingerprint;
}

function textIn({ body }: ManageAnswer, name: string): string {
  const value = memberOf(body, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new ManageCallFailed(`the manage API gave no ${name}`);
}

/** Toward the host app the service proves itself with Basic; a client access token is one PATCH away. */
function hostAppSettings(url: string, { platformSecret }: SandboxSecrets) {
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
function miniappSettings(url: string) {
  const allowlist = { enabled: true, addresses: ['127.0.0.1', '::1'] };
  return { ...urlsAt(url, miniappPaths), name: 'Sandbox miniapp', url: `${url}/`, ip_whitelist: allowlist, features };
}

const urlsAt = (url: string, paths: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(paths).map(([setting, path]) => [setting, url + path]));
