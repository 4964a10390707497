import { ensurePartner, hostAppKind, miniappKind } from './ensure-partner';
import { ManageCalls } from '../manage-calls';
import { features, hostAppSettings, miniappSettings, platformUser } from './partner-settings';
import type { SandboxHostApp } from '../partners/sandbox-host-app';
import type { SandboxMiniapp } from '../partners/sandbox-miniapp';
import { SandboxPair } from './sandbox-pair';
import { keepSecrets, readSecrets } from './sandbox-secrets';

/** The ids of the sandbox partners of a development service; the same at every start. */
export const sandboxIds = { clientId: 'host_sandbox00001', appId: 'app_sandbx' } as const;

/** A started sandbox partner and its address. */
export interface Started<Partner> {
  readonly partner: Partner;
  readonly url: string;
}

/** The sandbox's setup. */
export interface SandboxSetUp {
  /** No trailing slash. */
  readonly serviceUrl: string;
  readonly operatorToken: string;
  readonly hostApp: Started<SandboxHostApp>;
  readonly miniapp: Started<SandboxMiniapp>;
  /** Ids to create or reuse. Absent when the service generates new ones. */
  readonly ids?: { readonly clientId: string; readonly appId: string };
  /** File that keeps the secrets between starts (mode 0600). Absent when they are not kept. */
  readonly secretsFile?: string;
}

/**
 * Registers the two sandbox partners and their accepted integration through the manage API, and passes the credentials to them. Existing
 * partners are reset to the sandbox's settings; a lost secret is rotated. Throws ManageCallFailed where the manage API refuses.
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

/** Deletes the two partners and their integration from the service. */
export async function removeSandbox(
  at: Pick<SandboxSetUp, 'serviceUrl' | 'operatorToken'>,
  { clientId, appId }: SandboxPair,
): Promise<void> {
  const manage = new ManageCalls(at);
  await manage.send('DELETE', `host-apps/${clientId}`, [200, 204, 404]);
  await manage.send('DELETE', `miniapps/${appId}`, [200, 204, 404]);
}
