import { hostAppPage } from './host-app-page';
import { LegReader } from './leg-reader';
import { ManageCalls } from './manage-calls';
import { miniappPage } from './miniapp-page';
import { PageCalls } from './page-calls';
import type { SandboxHostApp } from './sandbox-host-app';
import type { SandboxMiniapp } from './sandbox-miniapp';
import type { SandboxPair } from './sandbox-pair';
import type { Started } from './set-up-sandbox';
import type { SignedShop } from './set-up-shop';
import type { WoundTime } from './wound-time';

/** A pair that was set up, and where its pages lie. */
export interface Playground {
  /** Where the built pages lie. */
  readonly folder: string;
  /** Without a final slash. */
  readonly serviceUrl: string;
  /** What the service makes signed URLs of; without a final slash. */
  readonly publicUrl: string;
  /** Stays on this side: no page sees it. */
  readonly operatorToken: string;
  readonly pair: SandboxPair;
  readonly shop: SignedShop;
  readonly time: Pick<WoundTime, 'aheadMs'>;
  readonly hostApp: Started<SandboxHostApp>;
  readonly miniapp: Started<SandboxMiniapp>;
}

/** Gives both sandbox partners their pages; returns the URL for a browser. */
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

/** This machine's loopback by the name that people type. */
const byName = (url: string): string => url.replace('//127.0.0.1:', '//localhost:');
