import { join } from 'node:path';
import type { Settings } from '../../config/settings';
import { developmentRoutes } from '../../sandbox/playground/development-routes';
import { ManageCalls } from '../../sandbox/manage-calls';
import { openPlayground } from '../../sandbox/playground/open-playground';
import { SandboxClock } from '../../sandbox/clock/sandbox-clock';
import { SandboxHostApp } from '../../sandbox/partners/sandbox-host-app';
import { memberOf } from '../../sandbox/read-body';
import { SandboxMiniapp } from '../../sandbox/partners/sandbox-miniapp';
import { sandboxIds, setUpSandbox } from '../../sandbox/setup/set-up-sandbox';
import { setUpShop } from '../../sandbox/setup/set-up-shop';
import { DemoScenarios } from '../../sandbox/demo/demo-scenarios';
import { WoundTime } from '../../sandbox/clock/wound-time';
import { NotListening } from './not-listening';
import type { RunningService } from './start-service';

/** The folder of the built pages: this file runs from dist/src/composition. */
const pagesFolder = join(__dirname, '../../../web/playground');

/** The parts that run beside a development service. */
export interface Development {
  close(): Promise<void>;
}

/** Prints all addresses for a developer. With the sandbox on, starts two simulated partners and prints a command that signs a user on. */
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
  // One write, so that no log line comes between.
  print(`\n${lines.join('\n')}\n`);
  return { close: () => sandbox?.close() ?? Promise.resolve() };
}

/** A one-time link that signs the operator in. Throws ManageCallFailed. */
async function dashboardLink({ url, operatorToken }: RunningService, { port, publicBaseUrl }: Settings): Promise<string> {
  const answer = await new ManageCalls({ serviceUrl: url, operatorToken }).send('POST', 'operator-links', [201]);
  const link = String(memberOf(answer.body, 'url'));
  // When the system chooses the port, the base address was unknown before.
  return port === 0 ? link.replace(publicBaseUrl, url) : link;
}

async function opened(partner: SandboxHostApp | SandboxMiniapp, port: number): ReturnType<SandboxHostApp['start']> {
  const address = { host: '127.0.0.1', port };
  try {
    return await partner.start(address);
  } catch (error) {
    throw new NotListening({ ...address, setting: 'SANDBOX_PORT' }, error as NodeJS.ErrnoException);
  }
}

async function startSandbox(service: RunningService, settings: Settings): Promise<Development & { lines: readonly string[] }> {
  const { sandboxPort: port } = settings;
  const time = new WoundTime();
  const [hostApp, miniapp] = [new SandboxHostApp(time), new SandboxMiniapp()];
  const hostAppServer = await opened(hostApp, port);
  const miniappServer = await opened(miniapp, port === 0 ? 0 : port + 1);
  const partners = { hostApp: { partner: hostApp, url: hostAppServer.url }, miniapp: { partner: miniapp, url: miniappServer.url } };
  const at = { serviceUrl: service.url, operatorToken: service.operatorToken };
  const secretsFile = join(settings.dataDir, 'sandbox-secrets.json');
  const pair = await setUpSandbox({ ...at, ...partners, ids: sandboxIds, secretsFile });
  const { clientId } = pair;
  const shop = await setUpShop({ ...at, clientId, miniapp: partners.miniapp, secretsFile });
  const pairs = [pair, { clientId, appId: shop.appId }];
  const manage = new ManageCalls(at);
  const clock = new SandboxClock({ time, manage, pairs });
  const target = { ...at, hostAppUrl: hostAppServer.url, pair, hostApp, miniapp };
  hostApp.clock.show(developmentRoutes(clock, new DemoScenarios({ target, manage })));
  const playground = openPlayground({ ...at, ...partners, folder: pagesFolder, publicUrl: settings.publicBaseUrl, pair, shop, time });
  return {
    lines: [
      `Playground: open ${playground} and sign on, pay and send events with a browser; its shop, ${shop.appId}, signs`,
      `Sandbox host app ${pair.clientId} on ${hostAppServer.url}, sandbox miniapp ${pair.appId} on ${miniappServer.url}`,
      `Sign a user on through them:\n  ${pair.curlLine()}`,
      `The same by an auth code:\n  ${pair.authorizeCurlLine()}`,
    ],
    close: async () => {
      await hostAppServer.close();
      await miniappServer.close();
    },
  };
}
