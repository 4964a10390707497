import { hostAppPage } from './host-app-page';
import { LegReader } from './leg-reader';
import { ManageCalls } from '../manage-calls';
import { miniappPage } from './miniapp-page';
import { PageCalls } from './page-calls';
import type { SandboxHostApp } from '../partners/sandbox-host-app';
import type { SandboxMiniapp } from '../partners/sandbox-miniapp';
import type { SandboxPair } from '../setup/sandbox-pair';
import type { Started } from '../setup/set-up-sandbox';
import type { SignedShop } from '../setup/set-up-shop';
import type { WoundTime } from '../clock/wound-time';

/** A set-up pair of partners, and the location of its pages. */
export interface Playground {
  /** Folder of the built pages. */
  readonly folder: string;
  /** No trailing slash. */
  readonly serviceUrl: string;
  /** Base of the URLs that the service signs; no trailing slash. */
  readonly publicUrl: string;
  /** Never sent to a page. */
  readonly operatorToken: string;
  readonly pair: SandboxPair;
  readonly shop: SignedShop;
  readonly time: Pick<WoundTime, 'aheadMs'>;
  readonly hostApp: Started<SandboxHostApp>;
  readonly miniapp: Started<SandboxMiniapp>;
}

/** Gives both sandbox partners their pages. Returns the URL for a browser. */
export function openPlayground({ folder, serviceUrl, publicUrl, operatorToken, pair, shop, time, hostApp, miniapp }: Playground): string {
  const ids = { client_id: pair.clientId, app_id: shop.appId };
  const hostCalls = new PageCalls({ from: 'host page', to: 'host app' }, /^\/sandbox\/(?:codes|connect|consent|payments|events)\b/);
  const shopCalls = new PageCalls({ from: 'miniapp page', to: 'miniapp' }, /^\/shop\//);
  const aheadMs = (): number => time.aheadMs;
  const { clientId, secretKey } = pair;
  const signature = { agreed: shop.signature, publicUrl };
  const apps = new Map([
    [pair.appId, undefined],
    [shop.appId, shop.signature.algorithm],
  ]);
  const legs = new LegReader(new ManageCalls({ serviceUrl, operatorToken }), { clientId, apps }, [hostCalls, shopCalls], aheadMs);
  const ofHostApp = { miniappUrl: miniapp.url, secretKey, signature, legs, calls: hostCalls, aheadMs };
  hostApp.partner.page.show(hostAppPage({ folder, serviceUrl, ids, ...ofHostApp }));
  const url = byName(hostApp.url);
  miniapp.partner.page.show(
    miniappPage({
      ...{ folder, ids, openedBy: [url, hostApp.url], calls: shopCalls },
      service: { serviceUrl, signature },
      completions: () => miniapp.partner.webhooks(),
      events: () => miniapp.partner.events(),
    }),
  );
  return `${url}/`;
}

/** Replaces the loopback address by the name that people type. */
const byName = (url: string): string => url.replace('//127.0.0.1:', '//localhost:');
