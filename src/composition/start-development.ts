import { join } from 'node:path';
import type { Settings } from '../config/settings';
import { developmentRoutes } from '../sandbox/development-routes';
import { ManageCalls } from '../sandbox/manage-calls';
import { openPlayground } from '../sandbox/open-playground';
import { SandboxClock } from '../sandbox/sandbox-clock';
import { SandboxHostApp } from '../sandbox/sandbox-host-app';
import { memberOf } from '../sandbox/read-body';
import { SandboxMiniapp } from '../sandbox/sandbox-miniapp';
import { sandboxIds, setUpSandbox } from '../sandbox/set-up-sandbox';
import { setUpShop } from '../sandbox/set-up-shop';
import { WalkDesk } from '../sandbox/walk-desk';
import { WoundTime } from '../sandbox/wound-time';
import { NotListening } from './not-listening';
import type { RunningService } from './start-service';

/** As the build leaves them: this file runs from dist/src/composition. */
const pagesFolder = join(__dirname, '../../web/playground');

/** What stands beside a development service. */
export interface Development {
  close(): Promise<void>;
}

/** Tells a developer where everything is; with the sandbox on, starts two partners and one line that signs a user on. */
export async function startDevelopment(service: RunningService, settings: Settings, print: (line: string) => void): Promise<Development> {
  const sandbox = settings.sandbox ? await startSandbox(service, settings) : undefined;
  const database = service.database === 'embedded' ? `embedded database in ${settings.dataDir}` : 'Postgres';
  const lines = [
    `Pierhead listens on ${service.url} (${database})`,
    `Operator token: ${service.operatorTokenFile ?? 'as given in OPERATOR_TOKEN'}`,
    `Dashboard: ${await dashboardLink(service, settings)} (once, for a day)`,
    ...(sandbox?.lines ?? []),
    'Next: npm run demo walks users through sign-on, payments and events; docs/guides/tour.md has a line for every endpoint',
  ];
  // In one piece, so that no log line comes between.
  print(`\n${lines.join('\n')}\n`);
  return { close: () => sandbox?.close() ?? Promise.resolve() };
}

/** A one-time link that signs the operator in. Throws ManageCallFailed. */
async function dashboardLink({ url, operatorToken }: RunningService, { port, publicBaseUrl }: Settings): Promise<string> {
  const answer = await new ManageCalls({ serviceUrl: url, operatorToken }).send('POST', 'operator-links', [201]);
  const link = String(memberOf(answer.body, 'url'));
  // On a port of the system's choice nobody could know the base address before.
  return port === 0 ? link.replace(publicBaseUrl, url) : link;
}

async function opened(partner: SandboxHostApp | SandboxMiniapp, port: number): ReturnType<SandboxHostApp['start']> {
  const place = { host: '127.0.0.1', port };
  try {
    return await partner.start(place);
  } catch (error) {
    throw new NotListening({ ...place, setting: 'SANDBOX_PORT' }, error as NodeJS.ErrnoException);
  }
}

async function startSandbox(service: RunningService, settings: Settings): Promise<Development & { lines: readonly string[] }> {
  const { sandboxPort: port } = settings;
  const time = new WoundTime();
  const [hostApp, miniapp] = [new SandboxHostApp(time), new SandboxMiniapp()];
  const hostAppDoor = await opened(hostApp, port);
  const miniappDoor = await opened(miniapp, port === 0 ? 0 : port + 1);
  const partners = { hostApp: { partner: hostApp, url: hostAppDoor.url }, miniapp: { partner: miniapp, url: miniappDoor.url } };
  const at = { serviceUrl: service.url, operatorToken: service.operatorToken };
  const secretsFile = join(settings.dataDir, 'sandbox-secrets.json');
  const pair = await setUpSandbox({ ...at, ...partners, ids: sandboxIds, secretsFile });
  const { clientId } = pair;
  const shop = await setUpShop({ ...at, clientId, miniapp: partners.miniapp, secretsFile });
  const pairs = [pair, { clientId, appId: shop.appId }];
  const manage = new ManageCalls(at);
  const clock = new SandboxClock({ time, manage, pairs });
  const way = { ...at, hostAppUrl: hostAppDoor.url, pair, hostApp, miniapp };
  hostApp.clock.show(developmentRoutes(clock, new WalkDesk({ way, manage })));
  const playground = openPlayground({ ...at, ...partners, folder: pagesFolder, publicUrl: settings.publicBaseUrl, pair, shop, time });
  return {
    lines: [
      `Playground: open ${playground} and sign on, pay and send events with a browser; its shop, ${shop.appId}, signs`,
      `Sandbox host app ${pair.clientId} on ${hostAppDoor.url}, sandbox miniapp ${pair.appId} on ${miniappDoor.url}`,
      `Sign a user on through them:\n  ${pair.curlLine()}`,
      `The same by an auth code:\n  ${pair.authorizeCurlLine()}`,
    ],
    close: async () => {
      await hostAppDoor.close();
      await miniappDoor.close();
    },
  };
}
