import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { screenPaths } from './dashboard-screens';
import { BusyQuarter } from './busy-quarter';
import { DashboardBrowser, desk, phone } from './dashboard-browser';
import { manageOf, seedTraffic } from './dashboard-traffic';
import { type DevelopmentService, startDevelopmentService } from './development-service';
import { openBrowser } from './playground-browser';

/** Where the guides look for them; another folder is for who only wants to look. */
const folder = process.env['PICTURES'] ?? join(__dirname, '../../docs/images');
const onPhones = ['overview', 'payments', 'deliveries'];
/** How long traffic is made before the first picture; it goes on until the last. */
const busyForMs = 6 * 60_000;

let service: DevelopmentService;
let browser: Browser;
let quarter: BusyQuarter;
let goesOn: Promise<void>;
/** Ids of what the traffic has made, by the path of their list. */
const ids = new Map<string, string>();

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  service = await startDevelopmentService();
  browser = await openBrowser();
  await seedTraffic(service);
  quarter = await BusyQuarter.prepare(service);
  await quarter.go(busyForMs);
  for (const [screen, query] of Object.entries(telling)) {
    const { data } = (await manageOf(service, 'GET', query)) as { data: { id: string; attempt_count?: number }[] };
    const most = [...data].sort((a, b) => (b.attempt_count ?? 0) - (a.attempt_count ?? 0))[0];
    if (most) ids.set(screen, most.id);
  }
  goesOn = quarter.go(20 * 60_000);
}, 900_000);
afterAll(async () => {
  quarter.end();
  await goesOn;
  await browser.close();
  await service.stop();
});

/** Where the records lie that have most to tell, by the screen that shows one. */
const telling = {
  requests: 'exchanges?refused_check=signature&limit=1',
  payments: 'payments?conflict=open&limit=1',
  deliveries: 'deliveries?kind=completion&limit=200',
};

/** What a screen is asked for beside its path: most begin with the quarter of an hour that was busy. */
const asked: Readonly<Record<string, (of: BusyQuarter) => string>> = {
  '/conformance': () => 'client_id=host_sandbox00001&app_id=app_sandbx',
  '/analytics': () => 'client_id=host_sandbox00001&app_id=app_sandbx',
  '/credentials': () => 'range=15m&partner=miniapp:app_ferrys',
  '/allowlist': ({ refusedHostApp }) => `partner=host-app:${refusedHostApp}`,
  '/audit': () => '',
  '/accounts': () => '',
  '/account': () => '',
};

/** A path with what its parameters stand for. */
function filled(path: string): string {
  const list = path.includes(':kind') ? 'payments' : path.split('/')[1];
  const whole = path
    .replace(':kind', 'payment')
    .replace(':clientId', 'host_sandbox00001')
    .replace(':appId', 'app_ferrys')
    .replace(':id', ids.get(list ?? '') ?? 'none');
  return `${whole}?${asked[path]?.(quarter) ?? 'range=15m'}`;
}

/** To 256 colours, which is a third of the bytes; as it is where pngquant is not installed. */
const shrink = (file: string): void => void spawnSync('pngquant', ['--force', '--ext', '.png', '--skip-if-larger', '256', file]);

async function picture(path: string, name: string, viewport: typeof desk, scheme: 'light' | 'dark'): Promise<void> {
  const open = await DashboardBrowser.open(browser, service, { viewport, scheme });
  await open.goTo(filled(path));
  await open.page.waitForLoadState('networkidle', { timeout: 4000 }).catch(() => undefined);
  await open.page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
  // What moves into its place has done so.
  await open.page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)))');
  const file = join(folder, `dashboard-${name}.png`);
  await open.page.screenshot({ path: file });
  shrink(file);
  await open.page.close();
}

describe.each(screenPaths())('$path', ({ path, name }) => {
  it.each(['light', 'dark'] as const)('%s', (scheme) => picture(path, scheme === 'dark' ? `${name}-dark` : name, desk, scheme), 60_000);
  if (onPhones.includes(name)) it('on a phone', () => picture(path, `${name}-phone`, phone, 'light'), 60_000);
});
