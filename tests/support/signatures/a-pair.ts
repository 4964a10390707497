import { operatorToken, type Reply, type TestService } from '../service/service';

/** A host app and a miniapp as they were set up through the manage API. */
export interface Pair {
  readonly clientId: string;
  readonly appId: string;
  readonly hostSecret: string;
  readonly miniSecret: string;
  /** The Basic header of the host app. */
  readonly basic: { readonly Authorization: string };
}

export interface PairSettings {
  readonly hostApp?: Record<string, unknown>;
  readonly miniapp?: Record<string, unknown>;
  /** `null`: none is made. */
  readonly integration?: Record<string, unknown> | null;
  /** Where the two back ends answer; nowhere unless given. */
  readonly hostAppUrl?: string;
  readonly miniappUrl?: string;
}

const features = { sso: true, payments: true, events: true };
const nowhere = 'http://127.0.0.1:9';
/** Of the platform toward the host app. */
export const hostAppSecret = 'CANARY-host-app-secret-key';

export const basicOf = (user: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
});

/** The same over a service in a process of its own. */
export function aPairOver(url: string, settings: PairSettings): Promise<Pair> {
  const headers = { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' };
  const manage = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await fetch(`${url}/manage/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, body: JSON.parse(text) };
  };
  return aPair({ manage, canary: (text) => text }, settings);
}

/** Sets up a pair with an accepted integration, every feature on; all its secrets are canaries. */
export async function aPair(service: Pick<TestService, 'manage' | 'canary'>, settings: PairSettings = {}): Promise<Pair> {
  const { hostAppUrl = nowhere, miniappUrl = nowhere } = settings;
  const host = await service.manage('POST', 'host-apps', {
    name: 'Host',
    features,
    host_app_client_id: 'platform-at-host',
    host_app_secret_key: service.canary(hostAppSecret),
    access_token_url: `${hostAppUrl}/token`,
    refresh_token_url: `${hostAppUrl}/refresh`,
    user_data_url: `${hostAppUrl}/user`,
    ...settings.hostApp,
  });
  expectStatus(host, 201);
  const mini = await service.manage('POST', 'miniapps', {
    name: 'Mini',
    features,
    get_auth_token_url: `${miniappUrl}/auth`,
    ...settings.miniapp,
  });
  expectStatus(mini, 201);
  const [clientId, appId] = [host.body.client_id as string, mini.body.app_id as string];
  if (settings.integration !== null) {
    expectStatus(
      await service.manage('PUT', `integrations/${clientId}/${appId}`, { status: 'accepted', features, ...settings.integration }),
      201,
    );
  }
  const hostSecret = service.canary(host.body.secret_key as string);
  return { clientId, appId, hostSecret, miniSecret: service.canary(mini.body.secret_key as string), basic: basicOf(clientId, hostSecret) };
}

function expectStatus({ status, text }: { status: number; text: string }, wanted: number): void {
  if (status !== wanted) throw new Error(`The pair could not be set up: ${String(status)} ${text}`);
}
