import type { AgreedSecret } from '../signing/agreed-signature';
import { ensurePartner, miniappKind } from './ensure-partner';
import { ManageCalls } from '../manage-calls';
import { features, shopSettings } from './partner-settings';
import type { SandboxMiniapp } from '../partners/sandbox-miniapp';
import { keepSecrets, readSecrets } from './sandbox-secrets';
import type { SandboxSetUp, Started } from './set-up-sandbox';

/** The App ID of the playground's shop; the same at every start. */
export const shopAppId = 'app_ferrys';

const apiClientId = 'skerry-ferries';

/** The shop's setup. The host app must exist already. */
export interface ShopSetUp extends Pick<SandboxSetUp, 'serviceUrl' | 'operatorToken' | 'secretsFile'> {
  /** The Client ID of the host app that opens the shop. */
  readonly clientId: string;
  /** The back end of the sandbox's miniapp, which serves the shop as well. */
  readonly miniapp: Started<SandboxMiniapp>;
}

/** The registered shop of the playground. */
export interface SignedShop {
  readonly appId: string;
  /** Signs its calls, and the service's calls to it. */
  readonly signature: AgreedSecret;
}

/**
 * Registers the playground's shop with an accepted integration. The shop is a second miniapp on the sandbox miniapp's back end and
 * authenticates with signatures. An existing shop is reset to these settings. Throws ManageCallFailed where the manage API refuses.
 */
export async function setUpShop({ serviceUrl, operatorToken, secretsFile, clientId, miniapp }: ShopSetUp): Promise<SignedShop> {
  const manage = new ManageCalls({ serviceUrl, operatorToken });
  const kept = await readSecrets(secretsFile);
  const signature = { algorithm: 'HMAC', key: kept.shopHmacSecret, apiClientId } as const;
  const { id, secretKey } = await ensurePartner(manage, miniappKind, {
    id: shopAppId,
    settings: shopSettings(miniapp.url, signature),
    secretKey: kept.shopSecretKey,
  });
  if (secretsFile !== undefined) await keepSecrets(secretsFile, { ...kept, shopSecretKey: secretKey });
  miniapp.partner.trust({ user: id, secret: secretKey, ownId: id, signature });
  await manage.send('PUT', `integrations/${clientId}/${id}`, [200, 201], { status: 'accepted', features });
  return { appId: id, signature };
}
